-- Places that were served within a second, and how many of them have shown up: { at, from, to, places, shown } (flow
-- clock), at most forty. The twin of memory/batches.ts.

-- How long after being served a visitor counts as showing up.
local function show_ms()
  return room.inlet_type == 'max_active' and 30000 or 5000
end

-- Remembers that the places in (from, to] were served, to see how many of them show up.
local function add_batch(from, to)
  local batches = decode_list(room.batches)
  local places = places_between(room_gaps(), from, to)
  local last = batches[#batches]
  if last and last[3] == from and math.floor(last[1] / 1000) == math.floor(room.flow_ms / 1000) then
    last[3] = to
    last[4] = last[4] + places
  else batches[#batches + 1] = { room.flow_ms, from, to, places, 0 } end
  if #batches > 40 then table.remove(batches, 1) end
  set('batches', encode_list(batches))
end

-- Counts a place as shown, once, when it claims or knocks within the show time. Claims are many: only the batch
-- looked for is taken out of the text.
local function note_show(position)
  local found_at, found_to, start, shown
  for entry_at, at_ms, from, to, of_places, count_at, count_shown, entry_to in
    string.gmatch(room.batches, '()(%d+):(%d+):(%d+):(%d+):()(%d+)()') do
    if position > tonumber(from) and position <= tonumber(to) then
      found_at, found_to, start, shown = count_at, entry_to, tonumber(at_ms), tonumber(count_shown)
    end
  end
  if not found_at or room.flow_ms - start > show_ms() or is_knocking(position) then return end
  set('batches', string.sub(room.batches, 1, found_at - 1) .. text_of(shown + 1) .. string.sub(room.batches, found_to))
end

-- Lets batches older than the show time into the smoothed show rate.
local function settle_batches()
  local batches = decode_list(room.batches)
  local settled = 0
  for _, batch in ipairs(batches) do
    local places, shown = batch[4], batch[5]
    if room.flow_ms - batch[1] < show_ms() then break end
    -- About the last ten batches count, and never fewer than fifty places.
    local keep = 1 - places / math.max(50, 10 * places)
    set('pull_shown', room.pull_shown * keep + math.min(shown, places))
    set('pull_served', room.pull_served * keep + places)
    settled = settled + 1
  end
  if settled == 0 then return end
  for _ = 1, settled do table.remove(batches, 1) end
  set('batches', encode_list(batches))
end

local function show_rate()
  return math.max(0.02, room.pull_shown / room.pull_served)
end

-- How many of the places served lately may still be expected to show up: in full for 15 s, then fading until the show
-- time is over.
local function expected_shows()
  local rate, end_ms = show_rate(), show_ms()
  local sum = 0
  for _, batch in ipairs(decode_list(room.batches)) do
    local age_ms = room.flow_ms - batch[1]
    local share = 1
    if age_ms >= end_ms then share = 0
    elseif age_ms > 15000 then share = (end_ms - age_ms) / (end_ms - 15000) end
    sum = sum + math.max(0, batch[4] * rate - batch[5]) * share
  end
  return sum
end

-- Places that may claim soon: an upper bound.
local function pending_places()
  local sum = redis.call('ZCARD', key.knocks)
  for _, batch in ipairs(decode_list(room.batches)) do sum = sum + math.max(0, batch[4] - batch[5]) end
  return sum
end
