-- Generated from src/core/adaptive/load.ts by `npm run lua`. Not to be edited.
-- What is reported of a site's load, and what becomes of it in an interval.

local function with_sample(samples, ms)
  samples[#samples + 1] = {ms}
  return samples
end

local function report_probe(latency_ms)
  set("load_reported", room.load_reported + 1)
  set("load_probed_ms", room.flow_ms)
  set("load_tried", room.load_tried + 1)
  if latency_ms == nil then
    set("load_failed", room.load_failed + 1)
  elseif #room.load_probes < 100 then
    set("load_probes", with_sample(room.load_probes, latency_ms))
  end
end

local function decrease_rate(factor)
  local rate = rate_per_minute() or room.rate_floor
  local is_first = room.load_raised_ms >= room.load_decreased_ms
  if is_first and room.load_admitted + room.load_admitted_now > 0 then
    set("load_strained_rate", rate)
  end
  set("load_rate", math.max(room.rate_floor, math.floor(rate * factor)))
  set("load_decreased_ms", room.flow_ms)
  set("load_tried", 0)
  set("load_failed", 0)
end

local function record_decision(decision, reason)
  set("load_decision", decision)
  set("load_reason", reason)
  set("load_decided_ms", room.at_ms)
end

local function take_signal(is_off)
  local is_new = is_off and not has_hold("signal")
  set_hold("signal", is_off)
  if not is_new then
    return
  end
  decrease_rate(0.7)
  record_decision("decrease", "signal_off")
end

local function report_site(latency_ms, error_rate, signal)
  set("load_reported", room.load_reported + 1)
  if latency_ms ~= nil and #room.load_reports < 100 then
    set("load_reports", with_sample(room.load_reports, latency_ms))
  end
  if error_rate ~= nil then
    set("load_error_sum", room.load_error_sum + error_rate)
    set("load_error_count", room.load_error_count + 1)
  end
  if signal ~= nil then
    take_signal(signal == "off")
  end
end

--- Whether what was reported at this time of the flow clock counts no more.
local function is_stale(reported_ms)
  return room.flow_ms - reported_ms > math.max(120000, 12 * room.decide_every_ms)
end

local function follow_latency(latency_ms)
  local before = room.load_latency_ms
  if before == nil or is_stale(room.load_measured_ms) then
    set("load_latency_ms", latency_ms)
    set("load_trend_ms", 0)
    return
  end
  local change_ms = 0.5 * (latency_ms - before)
  set("load_latency_ms", before + change_ms)
  set("load_trend_ms", room.load_trend_ms + 0.3 * (change_ms - room.load_trend_ms))
end

local function follow_baseline(latency_ms, span_ms, is_quiet)
  local baseline_ms = room.load_baseline_ms
  if baseline_ms == nil then
    set("load_baseline_ms", latency_ms)
  elseif latency_ms < baseline_ms then
    set("load_baseline_ms", baseline_ms + 0.25 * (latency_ms - baseline_ms))
  elseif is_quiet then
    set(
      "load_baseline_ms",
      baseline_ms + math.min(1, span_ms / 300000) * (latency_ms - baseline_ms)
    )
  end
end

local function take_latency(latency_ms, span_ms)
  follow_latency(latency_ms)
  set("load_measured_ms", room.flow_ms)
  local is_quiet = room.load_admitted * 60000 <= room.rate_floor * room.load_span_ms
  local is_long_at_floor = room.load_floor_ms > 0 and room.flow_ms - room.load_floor_ms >= 60000
  follow_baseline(latency_ms, span_ms, is_quiet or is_long_at_floor)
end

local function errors_reported()
  if room.load_tried == 0 and room.load_error_count == 0 then
    return nil
  end
  local probed = room.load_failed < 1.5 and 0 or room.load_failed / room.load_tried
  local reported = room.load_error_count == 0 and 0 or room.load_error_sum / room.load_error_count
  return math.max(probed, reported)
end

--- What one process probed, or the site reported.
local function report_load(report)
  if not is_adaptive() then
    return
  end
  if report.source == "probe" then
    report_probe(report.latencyMs)
  else
    report_site(report.latencyMs, report.errorRate, report.signal)
  end
end

local function is_faster(a, b)
  return a[1] < b[1]
end

--- The upper median; null of none.
local function median_of(samples)
  sort_by(samples, is_faster)
  local median = samples[math.floor(#samples / 2) + 1]
  return median ~= nil and median[1] or nil
end

--- Takes in what was reported in the interval, and begins the next one.
local function take_samples(span_ms)
  if room.load_reported == 0 then
    return "nothing"
  end
  local probed = median_of(room.load_probes)
  local reported = median_of(room.load_reports)
  local latency_ms = probed ~= nil and reported ~= nil and math.max(probed, reported) or (probed or reported)
  if latency_ms ~= nil then
    take_latency(latency_ms, span_ms)
  elseif is_stale(room.load_measured_ms) then
    set("load_latency_ms", nil)
  end
  set("load_error_rate", errors_reported())
  set("load_tried", room.load_tried * 0.9)
  set("load_failed", room.load_failed * 0.9)
  set("load_probes", {})
  set("load_reports", {})
  set("load_error_sum", 0)
  set("load_error_count", 0)
  set("load_reported", 0)
  set("load_data_ms", room.flow_ms)
  return latency_ms == nil and "others" or "latency"
end

--- The lower of the target in milliseconds and the multiple of the baseline; null while neither is known.
local function target_latency()
  if room.target_times == nil or room.load_baseline_ms == nil then
    return room.target_ms
  end
  local relative = room.target_times * room.load_baseline_ms
  return room.target_ms == nil and relative or math.min(relative, room.target_ms)
end
