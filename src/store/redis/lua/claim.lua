-- Claims the admissions of some places, one after the other. See core/claim.ts.
-- ARGV: as of all operations; request: `claims`, a list of `ClaimRequest`. Returns as `reply`: a list of `ClaimAnswer`.
-- Invariant: a place is admitted once, and so is a bypass link; no 60 s see more admissions than the limit.

return operate({
  'incarnation_started_ms', 'idle_ended_ms', 'when_idle', 'when_ended', 'expired_through', 'claim_within_ms', 'duration_ms',
  'change_count', 'log_rows_max', 'log_last', 'log_noted', 'max_active', 'shared_limit',
  'tells_admissions', 'has_push', 'first_visit_within_ms', 'void_count',
}, function()
  -- What an admission goes by besides.
  if is_any(request.claims, function(one) return one.position > 0 and one.position <= room.serving end) then
    load({ 'log_total', 'tat_ms', 'batches', 'outflow', 'count_entered', 'pull_came', 'logins_per_admission' })
  end
  return map_list(request.claims, claim)
end)
