-- Generated from src/core/settings.ts by `npm run lua`. Not to be edited.
-- Putting settings in force: the file's, an operator's live changes over them, and what of both is in force. All three are JSON; what is
-- in force is laid out in fields, too, as the rules go by it.

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

local function expects_returns(settings)
  local message = settings.message
  if message ~= nil and message.severity == "sold_out" and message.returns ~= nil then
    return message.returns
  end
  local stock = settings.stock or nil
  return stock == nil or stock.returns
end

local function set_rules(settings)
  set_inlet(settings.inlet)
  set("prequeue_at_ms", settings.schedule.prequeueAtMs)
  set("opens_at_ms", settings.schedule.opensAtMs)
  set("closes_at_ms", settings.schedule.endsAtMs)
  set("when_idle", settings.whenIdle)
  set("when_ended", settings.whenEnded)
  set("max_waiting", settings.maxWaiting)
  set("draw_order", settings.draw.order)
  set("draw_beacon", settings.draw.beacon)
  set("duration_ms", settings.admission.durationMs)
  set("max_duration_ms", settings.admission.maxDurationMs)
  set("claim_within_ms", settings.admission.claimWithinMs)
  set("logins_per_admission", settings.admission.loginsPerAdmission)
  set("first_visit_within_ms", settings.admission.firstVisitWithinMs or nil)
  set("addresses_per_admission", settings.admission.addressesPerAdmission or nil)
  set("log_rows_max", settings.logRowsMax)
  set("says_sold_out", settings.message ~= nil and settings.message.severity == "sold_out")
  set("has_returns", expects_returns(settings))
  set("tells_admissions", settings.admissionEvents == true)
  set("has_push", settings.push == true)
  set("move_rule", settings.moves or "once")
end

--- What decides how fast the line moves.
local function flow_text()
  local limits = (((room.inlet_type .. ":") .. text_or_none(room.limit)) .. ":") .. text_or_none(room.max_active)
  local times = (text_or_none(room.starts_at_ms) .. ":") .. text_or_none(room.ends_at_ms)
  return (((((limits .. ":") .. times) .. ":") .. text_or_none(room.shared_limit)) .. ":") .. text_or_none(room.shared_weight)
end

--- Puts settings in force; a forgotten room's are its first, changed by nobody. A limit that was raised counts from now on, not
-- from the slot that the old pace had reached.
local function put_effective(text, is_first)
  local start_before = decode_settings(room.effective).inlet.startPerMinute or 0
  local flow_before = flow_text()
  local had_push = room.has_push
  local settings = decode_settings(text)
  set("effective", text)
  set_rules(settings)
  if had_push and not room.has_push then
    clear_pushes()
  end
  if not is_first and flow_text() ~= flow_before then
    set("limit_changed_ms", room.flow_ms)
  end
  if room.unhealthy_after == nil then
    set("health_failures", 0)
    set("health_successes", 0)
    set("health_latency_ms", nil)
    set_hold("unhealthy", false)
  end
  local start = settings.inlet.startPerMinute or 0
  if not is_adaptive() then
    reset_adaptive(0, nil)
    set_hold("signal", false)
  elseif start ~= start_before then
    set("load_rate", 0)
  end
  local rate = rate_per_minute()
  if room.limit == nil or rate == nil then
    return
  end
  set("tat_ms", math.min(room.tat_ms, latest_tat(room.limit, room.flow_ms, rate)))
end

--- Of a room that has settings: the room goes on by the new ones at once.
local function replace_effective(effective)
  local before = times_of()
  local settings = room.effective
  put_effective(effective, room.version == 0)
  raise_version()
  follow_stock()
  publish_settings(settings, effective)
  if not are_same_times(before, times_of()) then
    adopt_schedule(before)
  end
end

--- The operator's changes, if nothing has changed since the caller looked. Answers the new version; else null.
local function change_settings(live, effective, expected_version)
  if room.version ~= expected_version then
    return nil
  end
  set("live_changes", live)
  replace_effective(effective)
  publish_changes()
  return {version = room.version}
end

--- Whether the inlet has what its type needs.
local function is_usable(inlet)
  if inlet.type == "adaptive" then
    return inlet.outflowPerMinute ~= nil
  end
  if inlet.type == "periodic" then
    return inlet.outflowPerMinute ~= nil or inlet.sharedOutflow ~= nil
  end
  return inlet.type ~= "max_active" or inlet.maxActive ~= nil
end

--- A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet whose type was
-- good by grace of what the file no longer has (a limit) would neither serve nor hold anyone: then the file's counts.
local function apply_file_settings(file)
  if file == room.file then
    return
  end
  local effective = patch_settings(file, room.live_changes)
  if not is_usable(decode_settings(effective).inlet) then
    set("live_changes", without_inlet(room.live_changes))
    effective = patch_settings(file, room.live_changes)
  end
  set("file", file)
  replace_effective(effective)
end
