-- Places that were served within a second, and how many of them have shown up within the show time: { at, from, to,
-- places, shown, show time } (flow clock, ms), at most forty. The twin of memory/batches.ts, which explains them.

-- Remembers that the places in (from, to] were served, by the 'inlet' or by an 'operator', to see how many of them show
-- up.
local function add_batch(from, to, by)
  local batches = decode_list(room.batches)
  local places = places_between(room_gaps(), from, to)
  local show_ms = (by == 'operator' or room.inlet_type == 'max_active') and 30000 or 5000
  local last = batches[#batches]
  if last and last[3] == from and last[6] == show_ms and math.floor(last[1] / 1000) == math.floor(room.flow_ms / 1000) then
    last[3] = to
    last[4] = last[4] + places
  else batches[#batches + 1] = { room.flow_ms, from, to, places, 0, show_ms } end
  if #batches > 40 then table.remove(batches, 1) end
  set('batches', encode_list(batches))
end

-- Counts a place as shown, once, when it claims or knocks within the show time. Claims are many: only the batch
-- looked for is taken out of the text.
local function note_show(position)
  local found_at, found_to, until_ms, shown
  for at_ms, from, to, count_at, count_shown, count_to, show_ms in
    string.gmatch(room.batches, '(%d+):(%d+):(%d+):%d+:()(%d+)():(%d+)') do
    if position > tonumber(from) and position <= tonumber(to) then
      found_at, found_to, until_ms, shown = count_at, count_to, at_ms + show_ms, tonumber(count_shown)
    end
  end
  if not found_at or room.flow_ms > until_ms or is_knocking(position) then return end
  set('batches', string.sub(room.batches, 1, found_at - 1) .. text_of(shown + 1) .. string.sub(room.batches, found_to))
end

-- Whoever enters has come to the door.
local function note_came()
  set('pull_came', room.pull_came + 1)
end

-- Nobody is at the door any more, and nobody expected there.
local function clear_batches()
  set('batches', '')
  set('pull_standing', 0)
end

-- The share of served places whose visitors come to the door, however late.
local function entering_share()
  return math.min(1, math.max(0.02, (room.pull_came + 5) / (room.pull_called + 5)))
end

-- Each place counts once, whenever its visitor comes; nothing fades where no places are served.
local function weigh_entering(batches, called)
  local standing = redis.call('ZCARD', key.knocks)
  for _, batch in ipairs(batches) do standing = standing - batch[5] end
  local keep = 1 - math.min(1, called * entering_share()) / 180
  set('pull_called', room.pull_called * keep + called)
  set('pull_came', math.min(room.pull_called, math.max(0, room.pull_came * keep + standing - room.pull_standing)))
  set('pull_standing', standing)
end

-- Lets batches older than their show time into the smoothed show rate and the entering share.
local function settle_batches()
  local left = {}
  local called = 0
  local batches = decode_list(room.batches)
  for _, batch in ipairs(batches) do
    local places, shown = batch[4], batch[5]
    if room.flow_ms - batch[1] < (batch[6] or 0) then left[#left + 1] = batch
    else
      -- About the last ten batches count, and never fewer than fifty places.
      local keep = 1 - places / math.max(50, 10 * places)
      set('pull_shown', room.pull_shown * keep + math.min(shown, places))
      set('pull_served', room.pull_served * keep + places)
      called = called + places
    end
  end
  if #left < #batches then set('batches', encode_list(left)) end
  weigh_entering(left, called)
end

local function show_rate()
  return math.max(0.02, room.pull_shown / room.pull_served)
end

-- How many of the places served lately may still be expected to show up, where this share of them does: in full for
-- 15 s, then fading until the show time is over.
local function expected_shows(rate)
  local sum = 0
  for _, batch in ipairs(decode_list(room.batches)) do
    local age_ms, show_ms = room.flow_ms - batch[1], batch[6] or 0
    local share = 1
    if age_ms >= show_ms then share = 0
    elseif age_ms > 15000 then share = (show_ms - age_ms) / (show_ms - 15000) end
    sum = sum + math.max(0, batch[4] * rate - batch[5]) * share
  end
  return sum
end

-- Visitors who knock, and those who may be expected to.
local function people_at_door()
  return redis.call('ZCARD', key.knocks) + expected_shows(entering_share())
end

-- Places that may claim soon: an upper bound.
local function pending_places()
  local sum = redis.call('ZCARD', key.knocks)
  for _, batch in ipairs(decode_list(room.batches)) do sum = sum + math.max(0, batch[4] - batch[5]) end
  return sum
end
