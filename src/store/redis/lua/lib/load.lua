-- What is heard of a site's load, and what becomes of it in an interval. `load_probes` and `load_reports`: latencies (ms) of
-- the interval. The twin of memory/load.ts and memory/site-latency.ts, which explain it.

local deepest_cut = 0.7

local function add_sample(field, ms)
  local samples = decode_list(room[field])
  if #samples >= 100 then return end
  samples[#samples + 1] = { ms }
  set(field, encode_list(samples))
end

-- The upper median; nil of none.
local function median_of(field)
  local samples = {}
  for i, sample in ipairs(decode_list(room[field])) do samples[i] = sample[1] end
  table.sort(samples)
  return samples[math.floor(#samples / 2) + 1]
end

-- The lower of the target in milliseconds and the multiple of the baseline; nil while neither is known.
local function target_latency()
  local baseline_ms = room.load_baseline_ms
  local relative = room.target_times and baseline_ms and room.target_times * baseline_ms
  if not relative or not room.target_ms then return relative or room.target_ms or nil end
  return math.min(relative, room.target_ms)
end

local function note_decision(decision, reason)
  set('load_decision', decision)
  set('load_reason', reason)
  set('load_decided_ms', room.at_ms)
end

local function decrease_rate(factor)
  local rate = rate_per_minute()
  -- Cuts without an increase between them are one: the rate before the first is what was too much, if anybody came in by it.
  local is_first = room.load_raised_ms >= room.load_decreased_ms
  if is_first and room.load_admitted + room.load_admitted_now > 0 then set('load_strained_rate', rate) end
  set('rate', math.max(room.rate_floor, math.floor(rate * factor)))
  set('load_decreased_ms', room.flow_ms)
  -- What failed before is answered by this.
  set('load_tried', 0)
  set('load_failed', 0)
end

-- Whether what was heard at this time of the flow clock counts no more.
local function is_stale(heard_ms)
  return room.flow_ms - heard_ms > math.max(120000, 12 * room.decide_every_ms)
end

local function follow_latency(latency_ms)
  local before = not is_stale(room.load_measured_ms) and room.load_latency_ms or nil
  set('load_measured_ms', room.flow_ms)
  if not before then
    set('load_latency_ms', latency_ms)
    set('load_trend_ms', 0)
    return
  end
  local change_ms = 0.5 * (latency_ms - before)
  set('load_latency_ms', before + change_ms)
  set('load_trend_ms', room.load_trend_ms + 0.3 * (change_ms - room.load_trend_ms))
end

local function follow_baseline(latency_ms, span_ms)
  local is_quiet = room.load_admitted * 60000 <= room.rate_floor * room.load_span_ms
  local is_long_at_floor = room.load_floor_ms > 0 and room.flow_ms - room.load_floor_ms >= 60000
  local baseline_ms = room.load_baseline_ms
  if not baseline_ms then set('load_baseline_ms', latency_ms)
  elseif latency_ms < baseline_ms then set('load_baseline_ms', baseline_ms + 0.25 * (latency_ms - baseline_ms))
  elseif is_quiet or is_long_at_floor then
    set('load_baseline_ms', baseline_ms + math.min(1, span_ms / 300000) * (latency_ms - baseline_ms))
  end
end

-- The worse of what was probed lately and what was reported; nil for neither.
local function errors_heard()
  if room.load_tried == 0 and room.load_error_count == 0 then return nil end
  local probed = room.load_failed < 1.5 and 0 or room.load_failed / room.load_tried
  local reported = room.load_error_count == 0 and 0 or room.load_error_sum / room.load_error_count
  return math.max(probed, reported)
end

-- Takes in what was heard in the interval, and begins the next one. Answers 'latency', 'others' or 'nothing'.
local function take_samples(span_ms)
  if room.load_heard == 0 then return 'nothing' end
  local probed, reported = median_of('load_probes'), median_of('load_reports')
  local latency_ms = probed and reported and math.max(probed, reported) or probed or reported
  if latency_ms then
    follow_latency(latency_ms)
    follow_baseline(latency_ms, span_ms)
  elseif is_stale(room.load_measured_ms) then set('load_latency_ms', nil) end
  set('load_error_rate', errors_heard())
  set('load_tried', room.load_tried * 0.9)
  set('load_failed', room.load_failed * 0.9)
  set('load_probes', '')
  set('load_reports', '')
  set('load_error_sum', 0)
  set('load_error_count', 0)
  set('load_heard', 0)
  set('load_data_ms', room.flow_ms)
  return latency_ms and 'latency' or 'others'
end
