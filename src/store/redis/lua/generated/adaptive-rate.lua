-- Generated from src/core/adaptive/rate.ts by `npm run lua`. Not to be edited.
-- The rate of an `adaptive` inlet.

local function is_adaptive()
  return room.inlet_type == "adaptive" and room.limit ~= nil
end

--- What the room lets in by a minute now: the rate in force of an `adaptive` inlet, else the room's own limit; null for none.
local function rate_per_minute()
  if room.limit == nil or not is_adaptive() then
    return room.limit
  end
  if room.load_rate == 0 then
    return room.rate_start
  end
  return math.min(room.limit, math.max(room.rate_floor, room.load_rate))
end

--- Whatever was gathered and decided is void, but for the rate and the baseline that are given.
local function reset_adaptive(rate, baseline_ms)
  if room.load_rate ~= rate then
    set("load_rate", rate)
  end
  if room.load_baseline_ms ~= baseline_ms then
    set("load_baseline_ms", baseline_ms)
  end
  if room.load_since_ms == 0 and room.load_reported == 0 and room.load_admitted_now == 0 then
    return
  end
  set("load_rate", 0)
  set("load_since_ms", 0)
  set("load_decreased_ms", 0)
  set("load_raised_ms", 0)
  set("load_strained_rate", 0)
  set("load_floor_ms", 0)
  set("load_probes", {})
  set("load_reports", {})
  set("load_error_sum", 0)
  set("load_error_count", 0)
  set("load_reported", 0)
  set("load_tried", 0)
  set("load_failed", 0)
  set("load_probed_ms", 0)
  set("load_data_ms", 0)
  set("load_measured_ms", 0)
  set("load_latency_ms", nil)
  set("load_trend_ms", 0)
  set("load_error_rate", nil)
  set("load_baseline_ms", nil)
  set("load_admitted_now", 0)
  set("load_admitted", 0)
  set("load_expected", 0)
  set("load_span_ms", 0)
  set("load_decision", "hold")
  set("load_reason", "no_data")
  set("load_decided_ms", 0)
  set("load_rate", rate)
  set("load_baseline_ms", baseline_ms)
end
