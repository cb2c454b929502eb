-- Takes consecutive positions, and serves those that need not wait.
-- KEYS: state, group, group_log, log, rows, live, pending_claims, pending_claim_times, held_times, held.
-- ARGV: incarnation and what was seen of it; room; group; count (1…10,000).
-- Returns 'ok', edition, first, last, refusal ('full', 'closed' or ''), join time (claim clock), serving counter.
-- Invariant: a position is handed out once per edition; earlier arrival means a lower position.

local refusal = enter({ 'max_waiting', 'join_seconds', 'count_joined' })
if refusal then return refusal end
if is_forgotten() or lacks_commitment() then
  save()
  return { 'recovering', 2000 }
end

local range = join(tonumber(arg.count))
save()
return {
  'ok', range.edition, range.first, range.last, range.refusal or '', range.joinedMs, range.serving,
}
