-- The inlet `adaptive`: decides on the rate. The twin of memory/adaptive.ts, which explains it.

-- By how much the rate may rise at once.
local function most_more(rate)
  if room.load_strained_rate == 0 then return room.rate_step end
  local part = math.max(0.01 * rate, 0.4 * math.abs(rate - room.load_strained_rate))
  return math.min(room.rate_step, part, 0.05 * math.max(rate, room.load_strained_rate))
end

local function increase_rate(by)
  local rate = math.min(room.limit, rate_per_minute() + math.max(1, math.floor(by)))
  set('rate', rate)
  set('load_raised_ms', room.flow_ms)
  -- It counts from now on, not from the slot that the old pace had reached.
  set('tat_ms', math.min(room.tat_ms, latest_tat(room.limit, room.flow_ms, rate)))
end

-- A rate that nobody makes use of proves nothing.
local function is_rate_used()
  local is_wanted = people_waiting() > 0 or redis.call('ZCARD', key.knocks) > 0
  return is_wanted and room.load_admitted + 1 >= 0.8 * room.load_expected
end

-- `is_measured`: whether the interval told a latency. One that was told before is not judged once more.
local function decide_rate(rate, is_measured)
  local known_ms = room.load_latency_ms
  local target = target_latency() or math.huge
  local latency_ms = known_ms or 0
  local ahead_ms = known_ms and latency_ms + 10 * room.load_trend_ms or 0
  local has_errors = room.load_error_rate ~= nil and room.load_error_rate > room.error_limit
  local is_settling = room.load_decreased_ms > 0
    and room.flow_ms - room.load_decreased_ms < 3 * room.decide_every_ms
  if not has_errors and known_ms and not is_measured then return end
  if has_errors or latency_ms > 1.1 * target then
    if rate <= room.rate_floor then return note_decision('hold', 'at_floor') end
    if is_settling or (not has_errors and ahead_ms < target) then return note_decision('hold', 'settling') end
    local rising_ms = latency_ms + math.max(0, 2 * room.load_trend_ms)
    decrease_rate(has_errors and deepest_cut or math.max(deepest_cut, math.sqrt(target / rising_ms)))
    return note_decision('decrease', has_errors and 'errors' or 'above_target')
  end
  if latency_ms >= 0.9 * target then return note_decision('hold', 'on_target') end
  if rate >= room.limit then return note_decision('hold', 'at_limit') end
  if not is_rate_used() then return note_decision('hold', 'unused') end
  if is_settling or ahead_ms > target then return note_decision('hold', 'settling') end
  increase_rate(most_more(rate) * math.min(1, 2 - (2 * math.max(latency_ms, ahead_ms)) / target))
  note_decision('increase', 'below_target')
end

-- What is not known neither opens the site nor closes it: the rate goes back to where it would begin, and stays.
local function go_without_data(rate)
  if not is_stale(room.load_data_ms) then return end
  set('rate', math.min(rate, math.max(room.rate_start, rate - room.rate_step)))
  note_decision(room.rate < rate and 'decrease' or 'hold', 'no_data')
end

-- Decides once an interval of the flow clock, however many call.
local function adapt()
  if not is_adaptive() then return end
  load({
    'rate', 'rate_floor', 'rate_start', 'rate_step', 'target_ms', 'target_times', 'error_limit', 'decide_every_ms',
    'load_since_ms', 'load_decreased_ms', 'load_floor_ms', 'load_probes', 'load_reports', 'load_error_sum',
    'load_error_count', 'load_heard', 'load_tried', 'load_failed', 'load_probed_ms', 'load_data_ms', 'load_measured_ms',
    'load_latency_ms', 'load_trend_ms', 'load_error_rate', 'load_baseline_ms', 'load_admitted_now', 'load_admitted',
    'load_expected', 'load_span_ms', 'load_decision', 'load_reason', 'load_decided_ms', 'load_raised_ms', 'load_strained_rate',
  })
  local rate = rate_per_minute()
  set('rate', rate)
  if room.load_reason == '' then
    set('load_decision', 'hold')
    set('load_reason', 'no_data')
  end
  if room.load_since_ms == 0 then set('load_since_ms', room.flow_ms) end
  local span_ms = room.flow_ms - room.load_since_ms
  if span_ms < room.decide_every_ms then return end
  set('load_since_ms', room.flow_ms)
  local is_moving = phase_of() == 'open' and not is_held() and is_inlet_on()
  set('load_span_ms', is_moving and room.load_span_ms * 0.8 + span_ms or 0)
  set('load_expected', is_moving and room.load_expected * 0.8 + (rate * span_ms) / 60000 or 0)
  set('load_admitted', is_moving and room.load_admitted * 0.8 + room.load_admitted_now or 0)
  set('load_admitted_now', 0)
  if rate > room.rate_floor then set('load_floor_ms', 0)
  elseif room.load_floor_ms == 0 then set('load_floor_ms', room.flow_ms) end
  local heard = take_samples(span_ms)
  if not is_moving then note_decision('hold', has_hold('signal') and 'signal_off' or 'not_open')
  elseif heard == 'nothing' then go_without_data(rate)
  else decide_rate(rate, heard == 'latency') end
end

-- What is told of it, as names and values; of another inlet nothing.
local function tell_adaptive(state)
  if not is_adaptive() then return end
  for _, pair in ipairs({
    { 'rate_per_minute', rate_per_minute() },
    { 'target_ms', target_latency() or '' },
    { 'load_latency_ms', room.load_latency_ms or '' },
    { 'load_baseline_ms', room.load_baseline_ms or '' },
    { 'load_error_rate', room.load_error_rate or '' },
    { 'load_decision', room.load_decision },
    { 'load_reason', room.load_reason },
    { 'load_decided_ms', room.load_decided_ms },
    { 'load_probed_ms', room.load_probed_ms },
  }) do
    state[#state + 1] = pair[1]
    state[#state + 1] = text_of(pair[2])
  end
end
