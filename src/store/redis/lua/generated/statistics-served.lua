-- Generated from src/core/statistics/served.ts by `npm run lua`. Not to be edited.
-- How many places have been served since the room was made, less those that an operator took back. Counters of positions begin anew with an edition.

local function served_through()
  return math.min(room.serving, room.queued)
end

local function served_places()
  local from = room.stat_served_through
  local to = served_through()
  local moved = to >= from and places_between(room.gaps, from, to) or -places_between(room.gaps, to, from)
  return room.stat_served + moved
end

--- What was served until now stays counted: of gaps, and of editions, the older ones are forgotten.
local function keep_served()
  set("stat_served", served_places())
  set("stat_served_through", served_through())
end

--- Counters of positions have just begun anew.
local function begin_served()
  set("stat_served_through", 0)
end
