-- What one process heard of the room's health URL. See core/health.ts.
-- KEYS: state, group, group_log, log. ARGV: incarnation and what was seen of it; room; group; is_healthy ('1' or '0').
-- Returns 'ok'. Invariant: so many in a row set the hold `unhealthy`, and so many lift it.

local refusal = enter({})
if refusal then return refusal end

report_health(arg.is_healthy == '1')
save()
return { 'ok' }
