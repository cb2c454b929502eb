-- Claims the admissions of some places, one after the other. See core/claim.ts.
-- ARGV: as of all operations; request: `claims`, a list of `ClaimRequest`. Returns as `reply`: a list of `ClaimAnswer`.
-- Invariant: a place is admitted once, and so is a bypass link; no 60 s see more admissions than the limit.

return operate(function() return map_list(request.claims, claim) end)
