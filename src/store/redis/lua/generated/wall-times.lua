-- Generated from src/core/wall-times.ts by `npm run lua`. Not to be edited.
-- Times of the wall clock, as they are told, and of the flow clock, by which admissions end.

--- A time of the wall clock, as the flow clock will see it.
local function to_flow(wall_ms)
  return room.flow_ms + (wall_ms - room.at_ms)
end

local function to_wall(flow_ms)
  return room.at_ms + (flow_ms - room.flow_ms)
end
