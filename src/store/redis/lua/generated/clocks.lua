-- Generated from src/core/clocks.ts by `npm run lua`. Not to be edited.
-- The room's clocks. The flow clock is the wall clock without its jumps, so an idle night, an outage or a clock step neither releases a flood of
-- visitors nor ends admissions. Only when another run of the server continues with an old state does it catch up. The claim clock also stands
-- still while places cannot be claimed. Both begin at the wall clock's time when a room is created.

local function keep_numbers_behind(now_ms)
  if now_ms < room.at_ms then
    set("event_last", math.max(room.event_last, room.at_ms * 10))
  end
end

local function has_times()
  return room.inlet_type == "periodic" or room.inlet_type == "adaptive"
end

local function serving_part_ms(elapsed_ms)
  if not has_times() then
    return elapsed_ms
  end
  local from_ms = math.max(room.at_ms - elapsed_ms, room.starts_at_ms or 0)
  return math.max(0, math.min(room.at_ms, room.ends_at_ms or room.at_ms) - from_ms)
end

--- Places that were handed out and not served; entries that are voided hold nobody.
local function people_waiting()
  return math.max(0, places_between(room.gaps, room.serving, room.queued) - room.voided_entries)
end

--- Whether any outflow limit, own or shared, is set.
local function is_limited()
  return room.limit ~= nil or room.shared_id ~= ""
end

--- Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held.
local function is_on_hold()
  return is_limited() and room.flow_ms < room.hold_until_ms
end

--- Clock steps of more than this, and steps back, count for no more and no less.
local function clamp_step(elapsed_ms)
  return math.min(math.max(elapsed_ms, 0), 5000)
end

--- Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
-- unless the room is open: while it is paused, recovering, held or drawing.
local function advance_clocks(now_ms)
  if now_ms == room.at_ms then
    return
  end
  local elapsed_ms = clamp_step(now_ms - room.at_ms)
  local was_on_hold = is_on_hold()
  keep_numbers_behind(now_ms)
  set("at_ms", now_ms)
  set("flow_ms", room.flow_ms + elapsed_ms)
  if phase_of() ~= "open" or room.recovering_until_ms > 0 or is_drawing() then
    return
  end
  local claim_elapsed_ms = was_on_hold and math.min(elapsed_ms, math.max(0, room.flow_ms - room.hold_until_ms)) or elapsed_ms
  set("claim_ms", room.claim_ms + claim_elapsed_ms)
  local serving_elapsed_ms = serving_part_ms(claim_elapsed_ms)
  if serving_elapsed_ms > 0 and people_waiting() > 0 then
    record_waiting(serving_elapsed_ms)
  end
end

--- Whether the inlet is between its times.
local function is_inlet_on()
  if not has_times() then
    return true
  end
  if room.starts_at_ms ~= nil and room.at_ms < room.starts_at_ms then
    return false
  end
  return room.ends_at_ms == nil or room.at_ms < room.ends_at_ms
end

--- Whether somebody waits and nothing holds the line.
local function is_line_moving()
  return phase_of() == "open" and not is_drawing() and not is_on_hold() and is_inlet_on() and people_waiting() > 0
end

--- The end of an admission to report now. That of an ended one stays as it was reported.
--
-- @param wallMs when it ends by the wall clock, by what is left of it on the flow clock
-- @param reportedMs the end that was reported last
local function reported_end(wall_ms, reported_ms, has_ended)
  return (has_ended or math.abs(wall_ms - reported_ms) <= 1000) and reported_ms or wall_ms
end

--- How an admission that nobody has ended is over: by its time, or with the idle phase that it is of; or because the site has not seen
-- the visitor in time. Null: it is live.
local function lapsed_by(flow_ms, idle_ended_ms, record)
  if record.expiresFlowMs <= flow_ms or record.via == "idle" and record.admittedMs <= idle_ended_ms then
    return "expired"
  end
  local visit_by_ms = record.visitByFlowMs or 0
  return visit_by_ms > 0 and visit_by_ms <= flow_ms and "abandoned" or nil
end

--- A time of the wall clock, as the flow clock will see it.
local function to_flow(wall_ms)
  return room.flow_ms + (wall_ms - room.at_ms)
end

local function to_wall(flow_ms)
  return room.at_ms + (flow_ms - room.flow_ms)
end

--- Whether an admission was made before this incarnation. One that lies in the future was made before the wall clock was set back: what
-- this incarnation had admitted by then would be on record still.
local function is_from_before(admitted_ms)
  return admitted_ms < room.incarnation_started_ms or admitted_ms > room.at_ms
end
