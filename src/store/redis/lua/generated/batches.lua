-- Generated from src/core/batches.ts by `npm run lua`. Not to be edited.
-- Places that were served lately, and how many of their visitors have come: by that an inlet knows how many to serve.

--- The share of served places whose visitors claim, however late.
local function entering_share()
  return math.min(1, math.max(0.02, (room.pull_came + 5) / (room.pull_called + 5)))
end

local function weigh_entering(called)
  local standing = size_of(key.pending_claims)
  for _, batch in ipairs(room.batches) do
    standing = standing - batch[5]
  end
  local keep = 1 - math.min(1, called * entering_share()) / 180
  set("pull_called", room.pull_called * keep + called)
  local came = room.pull_came * keep + standing - room.pull_standing
  set("pull_came", math.min(room.pull_called, math.max(0, came)))
  set("pull_standing", standing)
end

--- Remembers that the places in (from, to] were served, by the inlet or by an operator, to see how many of them show up.
local function add_batch(from, to, by)
  local batches = room.batches
  local places = places_between(room.gaps, from, to)
  local is_long = by == "operator" or room.inlet_type == "max_active"
  local show_ms = is_long and 30000 or 5000
  local last = batches[#batches]
  local second = math.floor(room.flow_ms / 1000)
  if last ~= nil and last[3] == from and last[6] == show_ms and math.floor(last[1] / 1000) == second then
    last[3] = to
    last[4] = last[4] + places
  else
    batches[#batches + 1] = {room.flow_ms, from, to, places, 0, show_ms}
  end
  if #batches > 40 then
    table.remove(batches, 1)
  end
  set("batches", batches)
end

--- Counts a place as shown, once, when it claims within the show time, whether that is held or not.
local function record_show(position)
  local batches = room.batches
  local found = nil
  for _, batch in ipairs(batches) do
    if position > batch[2] and position <= batch[3] then
      found = batch
    end
  end
  if found == nil or room.flow_ms - found[1] > found[6] or is_claim_pending(position) then
    return
  end
  found[5] = found[5] + 1
  set("batches", batches)
end

--- No claim is pending any more, and none is expected.
local function clear_batches()
  set("batches", {})
  set("pull_standing", 0)
end

--- Lets batches older than their show time into the smoothed show rate and the entering share.
local function settle_batches()
  local left = {}
  local called = 0
  for _, batch in ipairs(room.batches) do
    if room.flow_ms - batch[1] < batch[6] then
      left[#left + 1] = batch
    else
      local keep = 1 - batch[4] / math.max(50, 10 * batch[4])
      set("pull_shown", room.pull_shown * keep + math.min(batch[5], batch[4]))
      set("pull_served", room.pull_served * keep + batch[4])
      called = called + batch[4]
    end
  end
  if #left < #room.batches then
    set("batches", left)
  end
  weigh_entering(called)
end

local function show_rate()
  return math.max(0.02, room.pull_shown / room.pull_served)
end

--- How many of the places served lately may still be expected to show up, where this share of them does.
local function expected_shows(rate)
  local shows = 0
  for _, batch in ipairs(room.batches) do
    local age_ms = room.flow_ms - batch[1]
    if age_ms < batch[6] then
      local share = age_ms <= 15000 and 1 or (batch[6] - age_ms) / (batch[6] - 15000)
      shows = shows + math.max(0, batch[4] * rate - batch[5]) * share
    end
  end
  return shows
end

--- Visitors whose claims are held, and those who may be expected to.
local function people_at_door()
  return size_of(key.pending_claims) + expected_shows(entering_share())
end

--- Places that may claim soon: an upper bound.
local function pending_places()
  local pending = size_of(key.pending_claims)
  for _, batch in ipairs(room.batches) do
    pending = pending + math.max(0, batch[4] - batch[5])
  end
  return pending
end
