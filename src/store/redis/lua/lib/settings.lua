-- Settings: `effective`, `file` and `live` as JSON, and the fields of the state that scripts go by, so that hot ones
-- decode no JSON. The twin of memory/settings.ts.

-- Whether two decoded values are equal.
local function is_same(a, b)
  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b end
  for name, value in pairs(a) do
    if not is_same(value, b[name]) then return false end
  end
  for name in pairs(b) do
    if a[name] == nil then return false end
  end
  return true
end

-- Lays down effective settings as text and as fields.
local function set_effective(text, settings)
  local inlet, schedule, admission = settings.inlet, settings.schedule, settings.admission
  local shared = number_or_nil(inlet.sharedOutflow)
  local gate = number_or_nil(inlet.gate)
  set('effective', text)
  set('inlet_type', inlet.type)
  set('limit', number_or_nil(inlet.outflowPerMinute))
  set_adaptive(inlet)
  set('max_active', number_or_nil(inlet.maxActive))
  set('starts_at_ms', number_or_nil(inlet.startsAtMs))
  set('ends_at_ms', number_or_nil(inlet.endsAtMs))
  set('shared_id', shared and shared.id or '')
  set('shared_limit', shared and shared.outflowPerMinute or nil)
  set('shared_weight', shared and (inlet.weight or shared.weight) or nil)
  set('unhealthy_after', gate and gate.unhealthyAfter or nil)
  set('healthy_after', gate and gate.healthyAfter or nil)
  set('prequeue_at_ms', number_or_nil(schedule.prequeueAtMs))
  set('opens_at_ms', number_or_nil(schedule.opensAtMs))
  set('closes_at_ms', number_or_nil(schedule.endsAtMs))
  set('when_idle', settings.whenIdle)
  set('when_ended', settings.whenEnded)
  set('max_waiting', number_or_nil(settings.maxWaiting))
  set('duration_ms', admission.durationMs)
  set('max_duration_ms', number_or_nil(admission.maxDurationMs))
  set('claim_within_ms', admission.claimWithinMs)
  set('logins_per_admission', admission.loginsPerAdmission)
  set('addresses_per_admission', number_or_nil(admission.addressesPerAdmission))
  set('log_rows_max', number_or_nil(settings.logRowsMax))
end

-- What decides how fast the line moves.
local function flow_of()
  return {
    room.inlet_type, room.limit or '', room.max_active or '', room.starts_at_ms or '', room.ends_at_ms or '',
    room.shared_limit or '', room.shared_weight or '',
  }
end

-- The same in a room that has settings; a forgotten room's are its first, changed by nobody. Answers the times of the
-- schedule before, if it is another one now. A limit that was raised counts from now on, not from the slot that the old
-- pace had reached.
local function put_effective(text, is_first)
  local earlier, settings = cjson.decode(room.effective), cjson.decode(text)
  local flow_before, times_before = flow_of(), times_of()
  set_effective(text, settings)
  if not is_first and not is_same(flow_before, flow_of()) then set('limit_changed_ms', room.flow_ms) end
  if room.unhealthy_after == nil then
    set('health_failures', 0)
    set('health_successes', 0)
    set_hold('unhealthy', false)
  end
  if not is_adaptive() then
    reset_adaptive(0, nil)
    set_hold('signal', false)
  elseif number_or_nil(earlier.inlet.startPerMinute) ~= number_or_nil(settings.inlet.startPerMinute) then set('rate', 0) end
  if room.limit ~= nil then
    set('tat_ms', math.min(room.tat_ms, latest_tat(room.limit, room.flow_ms, rate_per_minute())))
  end
  return not is_same(earlier.schedule, settings.schedule) and times_before or nil
end

-- The operator's changes: the room goes on by them at once.
local function change_settings(live, effective)
  set('live', live)
  local times_before = put_effective(effective, room.version == 0)
  raise_version()
  if times_before then adopt_schedule(times_before) end
end

local patched_parts = { inlet = true, schedule = true, admission = true, draw = true }

-- The file's settings with the live changes over them, both decoded. Changes `settings`.
local function apply_patch(settings, live)
  -- Where the file is an earlier build's, and says nothing.
  if live.draw and not settings.draw then settings.draw = { order = 'arrival', beacon = 'none' } end
  for name, value in pairs(live) do
    if patched_parts[name] then
      for member, inner in pairs(value) do settings[name][member] = inner end
    else settings[name] = value end
  end
  return settings
end

-- Whether the inlet has what its type needs.
local function is_usable(inlet)
  if inlet.type == 'adaptive' then return number_or_nil(inlet.outflowPerMinute) ~= nil end
  if inlet.type == 'periodic' then
    return number_or_nil(inlet.outflowPerMinute) ~= nil or number_or_nil(inlet.sharedOutflow) ~= nil
  end
  return inlet.type ~= 'max_active' or number_or_nil(inlet.maxActive) ~= nil
end

-- A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet whose type
-- was good by grace of what the file no longer has (a limit) would neither serve nor hold anyone: then the file's
-- counts.
local function apply_file_settings(file)
  if file == room.file then return end
  local live = cjson.decode(room.live)
  local settings = apply_patch(cjson.decode(file), live)
  if live.inlet and not is_usable(settings.inlet) then
    live.inlet = nil
    set('live', cjson.encode(live))
    settings = apply_patch(cjson.decode(file), live)
  end
  set('file', file)
  local times_before = put_effective(cjson.encode(settings), room.version == 0)
  raise_version()
  if times_before then adopt_schedule(times_before) end
end
