-- The inlets, which serve. The twin of memory/inlet.ts, which explains them.

-- Serves so many more places.
local function serve(places)
  if places <= 0 then return end
  local from = room.serving
  local is_line = people_waiting() > places
  set('serving', move_over(gaps_to_skip(), from, places))
  if is_line then note_served(places_between(room.gaps, from, room.serving)) end
  add_advance()
  add_batch(from, room.serving, 'inlet')
end

-- Whether an inlet may move the line of itself now.
local function may_serve()
  if room.inlet_type == 'manual' or phase_of() ~= 'open' or is_drawing() then return false end
  if is_held() and room.flow_ms < room.hold_until_ms - 5000 then return false end
  return is_inlet_on()
end

-- Whether one more could be admitted now: the limiter has a slot, and the room a place.
local function could_admit()
  return room.tat_ms <= room.flow_ms and (capacity_free() or 1) >= 1
end

-- The margin above the target grows when nobody knocks though one more could be admitted, and shrinks slowly.
local function adapt_margin()
  local is_idle = redis.call('ZCARD', key.knocks) == 0 and could_admit()
  local is_starving = is_idle and show_rate() >= 0.05
  set('pull_margin_ms', math.min(6000, math.max(0, room.pull_margin_ms + (is_starving and 600 or -6))))
end

-- `max_active`: a few more are called, who wait at the door for somebody to leave.
local function reserve()
  return room.pull_margin_ms / 6000 * math.max(1, room.max_active * 10000 / room.duration_ms)
end

-- How many visitors shall be at the door: 3 s of outflow and the margin, as many as there is room for and the reserve,
-- or the less of both.
local function target()
  local limit = plan_limit()
  local flow = limit and math.max(1, limit * (3000 + room.pull_margin_ms) / 60000) or math.huge
  local free = capacity_free()
  return math.min(flow, free and free + reserve() or math.huge)
end

local function serve_to_target()
  local waiting = people_waiting()
  if waiting <= 0 then return end
  local wanted = (target() - redis.call('ZCARD', key.knocks) - expected_shows(show_rate())) / show_rate()
  serve(math.min(math.floor(wanted + 0.5), waiting))
end

-- The inlets `periodic`, `adaptive` and `max_active`, at most once in a second of the flow clock.
local function run_inlet()
  local second = math.floor(room.flow_ms / 1000)
  if second <= room.pull_second then return end
  set('pull_second', second)
  settle_batches()
  if not may_serve() or people_waiting() <= 0 then return end
  adapt_margin()
  serve_to_target()
end

-- `max_active`: an admission has ended, and the next visitor is served at once.
local function refill()
  if room.inlet_type == 'max_active' and may_serve() then serve_to_target() end
end

-- How many newcomers may pass without waiting, where nobody waits.
local function places_served_at_once()
  if not may_serve() or is_held() then return 0 end
  load({ 'log_total', 'tat_ms', 'batches', 'pull_shown', 'pull_served', 'max_active', 'exited', 'ghosts' })
  prune_knocks(500)
  prune_log(room)
  local slots = math.min(
    room.limit and slots_now(room, room.limit, rate_per_minute()) or math.huge, shared_slots_now(), capacity_free() or math.huge)
  return math.max(0, math.floor(slots - redis.call('ZCARD', key.knocks) - expected_shows(show_rate())))
end
