-- Generated from src/core/wall-times.ts by `npm run lua`. Not to be edited.
-- Times of the wall clock, as they are reported, and of the flow clock, by which admissions end.

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
