-- What was heard of the load of the room's site. See core/adaptive/load.ts.
-- KEYS: state, group, group_log, log. ARGV: incarnation and what was seen of it; room; group; source ('probe' or 'site'); latency_ms ('' for none; of a probe:
--   it failed); error_rate ('' for none); signal ('on', 'off' or '').
-- Returns 'ok'. Invariant: the rate changes only when `off` comes anew, downwards; the line is held while it is `off`.

local refusal = enter({})
if refusal then return refusal end

load({ 'load_heard', 'load_tried', 'load_failed', 'load_probes', 'load_reports', 'version' })
local latency_ms = tonumber(arg.latency_ms)
if arg.source == 'probe' then report_probe(latency_ms)
else report_site(latency_ms, tonumber(arg.error_rate), arg.signal ~= '' and arg.signal or nil) end
save()
return { 'ok' }
