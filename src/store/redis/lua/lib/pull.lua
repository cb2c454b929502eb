-- The `periodic` inlet. The twin of memory/pull.ts, which explains it.

-- Lets batches older than 5 s of the flow clock into the smoothed show rate.
local function settle_batches()
  load({ 'batches', 'pull_shown', 'pull_served' })
  local young = {}
  for _, batch in ipairs(decode_list(room.batches)) do
    local at_ms, places, shown = batch[1], batch[4], batch[5]
    if room.flow_ms - at_ms < 5000 then young[#young + 1] = batch
    else
      local keep = 1 - places / math.max(50, 10 * places)
      set('pull_shown', room.pull_shown * keep + math.min(shown, places))
      set('pull_served', room.pull_served * keep + places)
    end
  end
  set('batches', encode_list(young))
  return young
end

local function show_rate()
  return math.max(0.02, room.pull_shown / room.pull_served)
end

-- The margin above the target grows when nobody knocks though the limiter would admit, and shrinks slowly.
local function adapt_margin()
  load({ 'pull_margin_ms', 'tat_ms' })
  local is_idle = redis.call('ZCARD', key.knocks) == 0 and room.tat_ms <= room.flow_ms
  local is_starving = is_idle and show_rate() >= 0.05
  set('pull_margin_ms', math.min(6000, math.max(0, room.pull_margin_ms + (is_starving and 600 or -6))))
end

-- How many places to serve so that 3 s of outflow, and at least one place, and the margin knock.
local function places_wanted(batches)
  local rate = show_rate()
  local expected = 0
  for _, batch in ipairs(batches) do expected = expected + math.max(0, batch[4] * rate - batch[5]) end
  local target = math.max(1, room.limit * (3000 + room.pull_margin_ms) / 60000)
  return math.floor((target - redis.call('ZCARD', key.knocks) - expected) / rate + 0.5)
end

-- At most once in a second of the flow clock.
local function pull()
  load({ 'pull_second', 'gaps' })
  local second = math.floor(room.flow_ms / 1000)
  if room.inlet_type ~= 'periodic' or room.limit == nil or second <= room.pull_second then return end
  set('pull_second', second)
  local batches = settle_batches()
  if room.phase ~= 'open' then return end
  if is_held() and room.flow_ms < room.hold_until_ms - 5000 then return end
  local gaps = decode_list(room.gaps)
  local waiting = places_between(gaps, room.serving, room.queued)
  if room.limit <= 0 or waiting <= 0 then return end
  adapt_margin()
  local places = math.min(places_wanted(batches), waiting)
  if places <= 0 then return end
  local from = room.serving
  set('serving', move_over(gaps, from, places))
  add_advance()
  add_batch(gaps, from, room.serving)
end
