-- What one process heard of the room's health URL. The twin of memory/health.ts.
-- KEYS: state, group, group_log, log. ARGV: life and what was seen of it; room; group; is_healthy ('1' or '0').
-- Returns 'ok'. Invariant: so many in a row set the hold `unhealthy`, and so many lift it.

local refusal = enter({})
if refusal then return refusal end

if room.unhealthy_after then
  local is_healthy = arg.is_healthy == '1'
  set('health_reported_ms', room.flow_ms)
  set('health_failures', is_healthy and 0 or room.health_failures + 1)
  set('health_successes', is_healthy and room.health_successes + 1 or 0)
  if room.health_failures >= room.unhealthy_after then set_hold('unhealthy', true) end
  if room.health_successes >= room.healthy_after then set_hold('unhealthy', false) end
end
save()
return { 'ok' }
