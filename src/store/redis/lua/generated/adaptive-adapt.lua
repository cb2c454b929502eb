-- Generated from src/core/adaptive/adapt.ts by `npm run lua`. Not to be edited.
-- The inlet `adaptive` is `periodic` by a rate that it decides on once an interval of the flow clock, by what was reported of the site's
-- load. docs/flow.md has the table of decisions. The limiter's log counts against the limit, the pacing goes by the rate: so a lower rate
-- is in force at once, and nobody waits for what was admitted before it. Visitors are a load for as long as they stay: what was
-- changed shows late, so a latency that is on its way by itself changes nothing.

local function hold_rate(reason)
  record_decision("hold", reason)
end

local function is_settling()
  if room.load_decreased_ms == 0 then
    return false
  end
  return room.flow_ms - room.load_decreased_ms < 3 * room.decide_every_ms
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

local function go_without_data(rate)
  if not is_stale(room.load_data_ms) then
    return
  end
  local next = math.min(rate, math.max(room.rate_start, rate - room.rate_step))
  set("load_rate", next)
  record_decision(next < rate and "decrease" or "hold", "no_data")
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
