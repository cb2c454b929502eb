-- Generated from src/core/knocks.ts by `npm run lua`. Not to be edited.
-- Claims that the limiter refused lately: those of lower positions go first, and their places do not expire.

--- Forgets those who have not knocked for 5 s of the flow clock, at most `limit`.
local function prune_knocks(limit)
  remove_members(key.knocks, take_below(key.knock_times, room.flow_ms - 5000, limit))
  remove_members(key.held, take_below(key.held_times, room.claim_ms - 30000, limit))
end

--- The lowest place that was refused lately; rows with such places do not expire. Null for none.
local function lowest_held()
  return lowest_score(key.held)
end

--- How many lower positions are knocking.
local function knock_rank(position)
  return count_below(key.knocks, position)
end

local function is_knocking(position)
  return score_of(key.knock_times, position) ~= nil
end

--- Whether the limiter has kept this place from being claimed lately, so that it does not expire.
local function is_exempt(position)
  local held_ms = score_of(key.held_times, position)
  return held_ms ~= nil and held_ms >= room.claim_ms - 30000
end

local function knock(position)
  set_score(key.knocks, position, position)
  set_score(key.knock_times, position, room.flow_ms)
  set_score(key.held_times, position, room.claim_ms)
  set_score(key.held, position, position)
end

--- Whoever comes with a bypass link knocks at position 0, before all places. That keeps no place from expiring.
local function knock_first()
  set_score(key.knocks, 0, 0)
  set_score(key.knock_times, 0, room.flow_ms)
end

local function stop_knocking_first()
  if remove_member(key.knocks, 0) then
    remove_member(key.knock_times, 0)
  end
end

local function stop_knocking(position)
  if remove_member(key.knocks, position) then
    remove_member(key.knock_times, position)
  end
  if remove_member(key.held_times, position) then
    remove_member(key.held, position)
  end
end

local function clear_knocks()
  clear_set(key.knocks)
  clear_set(key.knock_times)
  clear_set(key.held_times)
  clear_set(key.held)
end
