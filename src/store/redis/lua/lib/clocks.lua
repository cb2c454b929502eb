-- The room's clocks, and what stops them. The twin of memory/clocks.ts.

-- Whether any outflow limit, own or shared, is set.
local function is_limited()
  return room.limit ~= nil or room.shared_id ~= ''
end

-- Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held.
local function is_held()
  return is_limited() and room.flow_ms < room.hold_until_ms
end

-- Clock steps of more than 5 s, and steps back, count for no more and no less.
local function clamp_step(elapsed_ms)
  return math.min(math.max(elapsed_ms, 0), 5000)
end

local function has_times()
  return room.inlet_type == 'periodic' or room.inlet_type == 'adaptive'
end

-- How much of the last so many milliseconds the inlet might serve: `periodic` and `adaptive` have their times.
local function serving_part_ms(elapsed)
  if not has_times() then return elapsed end
  local from_ms = math.max(room.at_ms - elapsed, room.starts_at_ms or -math.huge)
  return math.max(0, math.min(room.at_ms, room.ends_at_ms or math.huge) - from_ms)
end

-- Whether the inlet is between its times.
local function is_inlet_on()
  if not has_times() then return true end
  return (room.starts_at_ms or 0) <= room.at_ms and room.at_ms < (room.ends_at_ms or math.huge)
end

-- Whether somebody waits and nothing holds the line.
local function is_line_moving()
  return phase_of() == 'open' and not is_drawing() and not is_held() and is_inlet_on() and people_waiting() > 0
end

-- A time of the wall clock as the flow clock will see it, and the other way round. The twin of memory/told-times.ts.
local function to_flow(wall_ms)
  return room.flow_ms + (wall_ms - room.at_ms)
end

local function to_wall(flow_ms)
  return room.at_ms + (flow_ms - room.flow_ms)
end

-- Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
-- unless the room is open: while it is paused, recovering, held or drawing.
local function advance_clocks()
  local now_ms = server_now_ms()
  if now_ms == room.at_ms then return end
  local elapsed = clamp_step(now_ms - room.at_ms)
  local was_held = is_held()
  set('at_ms', now_ms)
  set('flow_ms', room.flow_ms + elapsed)
  if phase_of() ~= 'open' or room.recovering_until_ms > 0 or is_drawing() then return end
  -- A hold that ended within this step stops the claim clock only for its own part of it.
  if was_held then elapsed = math.min(elapsed, math.max(0, room.flow_ms - room.hold_until_ms)) end
  set('claim_ms', room.claim_ms + elapsed)
  elapsed = serving_part_ms(elapsed)
  if elapsed > 0 and people_waiting() > 0 then note_waiting(elapsed) end
end
