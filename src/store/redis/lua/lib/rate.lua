-- The rate of an `adaptive` inlet, with what is set of it. The twin of memory/rate.ts.

local function or_default(value, default)
  value = number_or_nil(value)
  if value == nil then return default end
  return value
end

-- Lays down the settings of an `adaptive` inlet with their defaults; nothing for others.
local function set_adaptive(inlet)
  if inlet.type ~= 'adaptive' then return end
  local limit = or_default(inlet.outflowPerMinute, 1)
  local floor = math.min(limit, or_default(inlet.floorPerMinute, math.max(1, math.floor(limit / 100))))
  local latency_ms = number_or_nil(inlet.latencyMs)
  set('rate_floor', floor)
  set('rate_start', math.min(limit, math.max(floor, or_default(inlet.startPerMinute, math.floor(limit / 10)))))
  set('rate_step', or_default(inlet.stepPerMinute, math.max(1, math.floor(limit / 50))))
  set('target_ms', latency_ms)
  set('target_times', or_default(inlet.timesBaseline, latency_ms == nil and 3 or nil))
  set('error_limit', or_default(inlet.errorRate, 0.05))
  set('decide_every_ms', or_default(inlet.decideEveryMs, 10000))
end

local function is_adaptive()
  return room.inlet_type == 'adaptive' and room.limit ~= nil
end

-- What the room lets in by a minute now: the rate in force of an `adaptive` inlet, else the room's own limit; nil for none.
local function rate_per_minute()
  if not is_adaptive() then return room.limit end
  load({ 'rate', 'rate_floor', 'rate_start' })
  if room.rate == 0 then return room.rate_start end
  return math.min(room.limit, math.max(room.rate_floor, room.rate))
end

-- Whatever was gathered and decided is void, but for the rate and the baseline where they are given.
local function reset_adaptive(rate, baseline_ms)
  if room.load_reason ~= '' or room.load_admitted_now > 0 then
    for _, field in ipairs({
      'load_since_ms', 'load_decreased_ms', 'load_floor_ms', 'load_error_sum', 'load_error_count', 'load_heard',
      'load_tried', 'load_failed', 'load_probed_ms', 'load_data_ms', 'load_measured_ms', 'load_trend_ms',
      'load_admitted_now', 'load_admitted', 'load_expected', 'load_span_ms', 'load_decided_ms',
      'load_raised_ms', 'load_strained_rate',
    }) do set(field, 0) end
    for _, field in ipairs({ 'load_probes', 'load_reports', 'load_decision', 'load_reason' }) do set(field, '') end
    for _, field in ipairs({ 'load_latency_ms', 'load_error_rate' }) do set(field, nil) end
  end
  if room.rate ~= rate then set('rate', rate) end
  if room.load_baseline_ms ~= baseline_ms then set('load_baseline_ms', baseline_ms) end
end
