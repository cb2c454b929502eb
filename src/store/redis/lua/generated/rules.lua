-- Generated from src/core/rules.ts by `npm run lua`. Not to be edited.
-- The settings in force, laid out as the rules go by them, with the defaults of an `adaptive` inlet.

--- Of an `adaptive` inlet; nothing for others.
local function set_adaptive(inlet)
  if inlet.type ~= "adaptive" then
    return
  end
  local limit = inlet.outflowPerMinute or 1
  local floor = math.min(limit, inlet.floorPerMinute or math.max(1, math.floor(limit / 100)))
  set("rate_floor", floor)
  set(
    "rate_start",
    math.min(limit, math.max(floor, inlet.startPerMinute or math.floor(limit / 10)))
  )
  set("rate_step", inlet.stepPerMinute or math.max(1, math.floor(limit / 50)))
  set("target_ms", inlet.latencyMs or nil)
  set("target_times", inlet.timesBaseline or nil)
  if room.target_ms == nil and room.target_times == nil then
    set("target_times", 3)
  end
  set("error_limit", inlet.errorRate or 0.05)
  set("decide_every_ms", inlet.decideEveryMs or 10000)
end

local function set_inlet(inlet)
  set("inlet_type", inlet.type)
  set("limit", inlet.outflowPerMinute)
  set_adaptive(inlet)
  set("max_active", inlet.maxActive)
  set("starts_at_ms", inlet.startsAtMs)
  set("ends_at_ms", inlet.endsAtMs)
  local shared = inlet.sharedOutflow
  set("shared_id", shared == nil and "" or shared.id)
  set("shared_limit", shared ~= nil and shared.outflowPerMinute or nil)
  set("shared_weight", shared ~= nil and (inlet.weight or shared.weight) or nil)
  local gate = inlet.gate
  set("unhealthy_after", gate ~= nil and gate.unhealthyAfter or nil)
  set("healthy_after", gate ~= nil and gate.healthyAfter or nil)
end

local function set_rules(settings)
  set_inlet(settings.inlet)
  set("prequeue_at_ms", settings.schedule.prequeueAtMs)
  set("opens_at_ms", settings.schedule.opensAtMs)
  set("closes_at_ms", settings.schedule.endsAtMs)
  set("when_idle", settings.whenIdle)
  set("when_ended", settings.whenEnded)
  set("max_waiting", settings.maxWaiting)
  local draw = settings.draw or nil
  set("draw_order", draw == nil and "" or draw.order)
  set("draw_beacon", draw == nil and "" or draw.beacon)
  set("duration_ms", settings.admission.durationMs)
  set("max_duration_ms", settings.admission.maxDurationMs)
  set("claim_within_ms", settings.admission.claimWithinMs)
  set("logins_per_admission", settings.admission.loginsPerAdmission)
  set("addresses_per_admission", settings.admission.addressesPerAdmission or nil)
  set("log_rows_max", settings.logRowsMax or nil)
end
