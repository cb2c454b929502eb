-- Generated from src/core/settings.ts by `npm run lua`. Not to be edited.
-- Laying down settings: the file's, an operator's live changes over them, and what of both is in force. All three are JSON.

local function number_text(value)
  return value == nil and "-" or text_of(value)
end

--- What decides how fast the line moves.
local function flow_text()
  local own = (((room.inlet_type .. ":") .. number_text(room.limit)) .. ":") .. number_text(room.max_active)
  local times = (number_text(room.starts_at_ms) .. ":") .. number_text(room.ends_at_ms)
  return (((((own .. ":") .. times) .. ":") .. number_text(room.shared_limit)) .. ":") .. number_text(room.shared_weight)
end

--- Puts settings in force; a forgotten room's are its first, changed by nobody. A limit that was raised counts from now on, not
-- from the slot that the old pace had reached.
local function put_effective(text, is_first)
  local start_before = decode_settings(room.effective).inlet.startPerMinute or 0
  local flow_before = flow_text()
  local settings = decode_settings(text)
  set("effective", text)
  set_rules(settings)
  if not is_first and flow_text() ~= flow_before then
    set("limit_changed_ms", room.flow_ms)
  end
  if room.unhealthy_after == nil then
    set("health_failures", 0)
    set("health_successes", 0)
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

local function are_same(times, others)
  if #times ~= #others then
    return false
  end
  local index = 0
  for _, time in ipairs(times) do
    local other = others[index + 1]
    if other == nil or other.atMs ~= time.atMs or other.phase ~= time.phase then
      return false
    end
    index = index + 1
  end
  return true
end

--- Of a room that has settings: the room goes on by the new ones at once.
local function replace_effective(effective)
  local before = times_of()
  put_effective(effective, room.version == 0)
  raise_version()
  if not are_same(before, times_of()) then
    adopt_schedule(before)
  end
end

--- The operator's changes.
local function change_settings(live, effective)
  set("live_changes", live)
  replace_effective(effective)
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
