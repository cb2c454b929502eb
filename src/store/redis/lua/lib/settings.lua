-- Settings: `effective`, `file` and `live` as JSON, and the fields of the state that scripts go by, see core/rules.ts. The
-- twin of memory/settings.ts.

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

-- JSON has a null where Lua has nothing.
local function without_nulls(values)
  for name, value in pairs(values) do
    if value == cjson.null then values[name] = nil elseif type(value) == 'table' then without_nulls(value) end
  end
  return values
end

-- Lays down effective settings as text and as fields.
local function set_effective(text, settings)
  set('effective', text)
  set_rules(settings)
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
  local earlier, settings = without_nulls(cjson.decode(room.effective)), without_nulls(cjson.decode(text))
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
  elseif earlier.inlet.startPerMinute ~= settings.inlet.startPerMinute then set('load_rate', 0) end
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
