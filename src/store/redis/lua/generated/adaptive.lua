-- Generated from src/core/adaptive.ts by `npm run lua`. Not to be edited.
-- The inlet `adaptive` is `periodic` with a rate of its own. Once per interval of the flow clock it decides on that rate by what was reported
-- of the site's load; docs/flow.md has the table of decisions. Admissions are counted against the limit, and paced by the rate. A lower rate
-- therefore takes effect at once, and nobody waits because of earlier admissions. Visitors load the site for as long as they stay, so a change
-- of the rate shows late in the latency: while the latency is still moving towards its target, the rate stays.

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

local function record_decision(decision, reason)
  set("load_decision", decision)
  set("load_reason", reason)
  set("load_decided_ms", room.at_ms)
end

local function hold_rate(reason)
  record_decision("hold", reason)
end

local function target_latency()
  if room.target_times == nil or room.load_baseline_ms == nil then
    return room.target_ms
  end
  local relative = room.target_times * room.load_baseline_ms
  return room.target_ms == nil and relative or math.min(relative, room.target_ms)
end

local function is_settling()
  if room.load_decreased_ms == 0 then
    return false
  end
  return room.flow_ms - room.load_decreased_ms < 3 * room.decide_every_ms
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

local function decide_decrease(rate, has_errors, ahead_ms)
  local target = target_latency() or 0
  if rate <= room.rate_floor then
    hold_rate("at_floor")
  elseif is_settling() or not has_errors and ahead_ms < target then
    hold_rate("settling")
  elseif has_errors then
    decrease_rate(0.7)
    record_decision("decrease", "errors")
  else
    local rising_ms = (room.load_latency_ms or 0) + math.max(0, 2 * room.load_trend_ms)
    decrease_rate(math.max(0.7, math.sqrt(target / rising_ms)))
    record_decision("decrease", "above_target")
  end
end

local function is_rate_used()
  if people_waiting() == 0 and size_of(key.pending_claims) == 0 then
    return false
  end
  return room.load_admitted + 1 >= 0.8 * room.load_expected
end

local function increase_rate(before, by)
  if room.limit == nil then
    return
  end
  local rate = math.min(room.limit, before + math.max(1, math.floor(by)))
  set("load_rate", rate)
  set("load_raised_ms", room.flow_ms)
  set("tat_ms", math.min(room.tat_ms, latest_tat(room.limit, room.flow_ms, rate)))
end

local function most_more(rate)
  local strained = room.load_strained_rate
  if strained == 0 then
    return room.rate_step
  end
  local part = math.max(0.01 * rate, 0.4 * math.abs(rate - strained))
  return math.min(room.rate_step, part, 0.05 * math.max(rate, strained))
end

local function decide_rate(rate, is_measured)
  local smoothed_ms = room.load_latency_ms
  local has_errors = room.load_error_rate ~= nil and room.load_error_rate > room.error_limit
  if not has_errors and smoothed_ms ~= nil and not is_measured then
    return
  end
  local latency_ms = smoothed_ms or 0
  local ahead_ms = smoothed_ms == nil and 0 or latency_ms + 10 * room.load_trend_ms
  local target = target_latency()
  if has_errors or target ~= nil and latency_ms > 1.1 * target then
    decide_decrease(rate, has_errors, ahead_ms)
  elseif target ~= nil and latency_ms >= 0.9 * target then
    hold_rate("on_target")
  elseif room.limit ~= nil and rate >= room.limit then
    hold_rate("at_limit")
  elseif not is_rate_used() then
    hold_rate("unused")
  elseif is_settling() or target ~= nil and ahead_ms > target then
    hold_rate("settling")
  else
    local part = target == nil and 2 or 2 - 2 * math.max(latency_ms, ahead_ms) / target
    increase_rate(rate, most_more(rate) * math.min(1, part))
    record_decision("increase", "below_target")
  end
end

local function is_stale(reported_ms)
  return room.flow_ms - reported_ms > math.max(120000, 12 * room.decide_every_ms)
end

local function go_without_data(rate)
  if not is_stale(room.load_data_ms) then
    return
  end
  local next = math.min(rate, math.max(room.rate_start, rate - room.rate_step))
  set("load_rate", next)
  record_decision(next < rate and "decrease" or "hold", "no_data")
end

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

local function is_faster(a, b)
  return a[1] < b[1]
end

local function median_of(samples)
  sort_by(samples, is_faster)
  local median = samples[math.floor(#samples / 2) + 1]
  return median ~= nil and median[1] or nil
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

local function follow_baseline(latency_ms, span_ms, may_rise)
  local baseline_ms = room.load_baseline_ms
  if baseline_ms == nil then
    set("load_baseline_ms", latency_ms)
  elseif latency_ms < baseline_ms then
    set("load_baseline_ms", baseline_ms + 0.25 * (latency_ms - baseline_ms))
  elseif may_rise then
    set(
      "load_baseline_ms",
      baseline_ms + math.min(1, span_ms / 300000) * (latency_ms - baseline_ms)
    )
  end
end

local function take_latency(latency_ms, span_ms)
  follow_latency(latency_ms)
  set("load_measured_ms", room.flow_ms)
  local has_little_load = room.load_admitted * 60000 <= room.rate_floor * room.load_span_ms
  local is_long_at_floor = room.load_floor_ms > 0 and room.flow_ms - room.load_floor_ms >= 60000
  follow_baseline(latency_ms, span_ms, has_little_load or is_long_at_floor)
end

local function errors_reported()
  if room.load_tried == 0 and room.load_error_count == 0 then
    return nil
  end
  local probed = room.load_failed < 1.5 and 0 or room.load_failed / room.load_tried
  local reported = room.load_error_count == 0 and 0 or room.load_error_sum / room.load_error_count
  return math.max(probed, reported)
end

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

--- Decides on the rate once an interval of the flow clock, however many call.
local function adapt_rate()
  local rate = rate_per_minute()
  if rate == nil or not is_adaptive() then
    return
  end
  if room.load_rate ~= rate then
    set("load_rate", rate)
  end
  if room.load_since_ms == 0 then
    set("load_since_ms", room.flow_ms)
  end
  local span_ms = room.flow_ms - room.load_since_ms
  if span_ms < room.decide_every_ms then
    return
  end
  set("load_since_ms", room.flow_ms)
  local is_moving = phase_of() == "open" and not is_on_hold() and is_inlet_on()
  set("load_span_ms", is_moving and room.load_span_ms * 0.8 + span_ms or 0)
  set("load_expected", is_moving and room.load_expected * 0.8 + rate * span_ms / 60000 or 0)
  set("load_admitted", is_moving and room.load_admitted * 0.8 + room.load_admitted_now or 0)
  set("load_admitted_now", 0)
  if rate > room.rate_floor then
    set("load_floor_ms", 0)
  elseif room.load_floor_ms == 0 then
    set("load_floor_ms", room.flow_ms)
  end
  local reported = take_samples(span_ms)
  if not is_moving then
    record_decision("hold", has_hold("signal") and "signal_off" or "not_open")
  elseif reported == "nothing" then
    go_without_data(rate)
  else
    decide_rate(rate, reported == "latency")
  end
end

--- What is reported of it; null of another inlet.
local function adaptive_state()
  local rate = rate_per_minute()
  if rate == nil or not is_adaptive() then
    return nil
  end
  return {
    ratePerMinute = rate,
    targetMs = target_latency(),
    latencyMs = room.load_latency_ms,
    baselineMs = room.load_baseline_ms,
    errorRate = room.load_error_rate,
    decision = room.load_decision,
    reason = room.load_reason,
    decidedMs = room.load_decided_ms,
    probedMs = room.load_probed_ms
  }
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
