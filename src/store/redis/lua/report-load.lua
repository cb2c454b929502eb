-- What was heard of the load of the room's site. The twin of `reportLoad` in memory/load.ts.
-- KEYS: state, group, group_log, log. ARGV: life and what was seen of it; room; group; source ('probe' or 'site'); latency_ms ('' for none; of a probe:
--   it failed); error_rate ('' for none); signal ('on', 'off' or '').
-- Returns 'ok'. Invariant: the rate changes only when `off` comes anew, downwards; the line is held while it is `off`.

local refusal = enter({})
if refusal then return refusal end

local function take_probe()
  set('load_probed_ms', room.flow_ms)
  set('load_tried', room.load_tried + 1)
  if arg.latency_ms == '' then set('load_failed', room.load_failed + 1)
  else add_sample('load_probes', tonumber(arg.latency_ms)) end
end

local function take_signal(is_off)
  local is_new = is_off and not has_hold('signal')
  set_hold('signal', is_off)
  if not is_new then return end
  decrease_rate(deepest_cut)
  note_decision('decrease', 'signal_off')
end

local function take_report()
  if arg.latency_ms ~= '' then add_sample('load_reports', tonumber(arg.latency_ms)) end
  if arg.error_rate ~= '' then
    set('load_error_sum', room.load_error_sum + tonumber(arg.error_rate))
    set('load_error_count', room.load_error_count + 1)
  end
  if arg.signal ~= '' then take_signal(arg.signal == 'off') end
end

if is_adaptive() then
  load({ 'load_heard', 'load_tried', 'load_failed', 'load_probes', 'load_reports', 'load_reason', 'version' })
  set('load_heard', room.load_heard + 1)
  if room.load_reason == '' then
    set('load_decision', 'hold')
    set('load_reason', 'no_data')
  end
  if arg.source == 'probe' then take_probe() else take_report() end
end
save()
return { 'ok' }
