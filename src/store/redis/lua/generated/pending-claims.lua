-- Generated from src/core/pending-claims.ts by `npm run lua`. Not to be edited.
-- Claims that the limiter refused lately: those of lower positions go first, and their places do not expire.

--- Forgets those that were not made again for 5 s of the flow clock, at most `limit`.
local function prune_pending_claims(limit)
  remove_members(key.pending_claims, take_below(key.pending_claim_times, room.flow_ms - 5000, limit))
  remove_members(key.held, take_below(key.held_times, room.claim_ms - 30000, limit))
end

--- The lowest place that was refused lately; rows with such places do not expire. Null for none.
local function lowest_refused()
  return score_at(key.held, 0)
end

--- How many claims of lower positions are pending.
local function pending_rank(position)
  return count_below(key.pending_claims, position)
end

local function is_claim_pending(position)
  return score_of(key.pending_claim_times, position) ~= nil
end

--- Whether the limiter has kept this place from being claimed lately, so that it does not expire.
local function is_exempt(position)
  local refused_ms = score_of(key.held_times, position)
  return refused_ms ~= nil and refused_ms >= room.claim_ms - 30000
end

local function add_pending_claim(position)
  set_score(key.pending_claims, position, position)
  set_score(key.pending_claim_times, position, room.flow_ms)
  set_score(key.held_times, position, room.claim_ms)
  set_score(key.held, position, position)
end

--- A claim by a bypass link is pending at position 0, before all places. It keeps no place from expiring.
local function add_pending_bypass()
  set_score(key.pending_claims, 0, 0)
  set_score(key.pending_claim_times, 0, room.flow_ms)
end

local function remove_pending_claim(position)
  if remove_member(key.pending_claims, position) then
    remove_member(key.pending_claim_times, position)
  end
  if remove_member(key.held_times, position) then
    remove_member(key.held, position)
  end
end

local function clear_pending_claims()
  redis.call("DEL", key.pending_claims, key.pending_claim_times, key.held_times, key.held)
end
