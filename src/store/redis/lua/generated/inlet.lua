-- Generated from src/core/inlet.ts by `npm run lua`. Not to be edited.
-- The inlets, which serve: `periodic` and `adaptive` as many as the limit lets in soon, `max_active` as many as there is room for.

--- Serves so many more places.
local function serve(places)
  if places <= 0 then
    return
  end
  local from = room.serving
  local is_line = people_waiting() > places
  set("serving", move_over(gaps_to_skip(), from, places))
  if is_line then
    record_served(places_between(room.gaps, from, room.serving))
  end
  add_advance()
  add_batch(from, room.serving, "inlet")
end

--- Whether an inlet may move the line of itself now.
local function may_serve()
  if room.inlet_type == "manual" or phase_of() ~= "open" or is_drawing() then
    return false
  end
  if is_on_hold() and room.flow_ms < room.hold_until_ms - 5000 then
    return false
  end
  return is_inlet_on()
end

--- Whether one more could be admitted now: the limiter has a slot, and the room a place.
local function could_admit()
  return room.tat_ms <= room.flow_ms and (capacity_free() or 1) >= 1
end

--- The margin above the target: grows when no claim is pending though one more could be admitted, and shrinks slowly. Visitors who
-- take long to show up, and the luck of small numbers, would else leave outflow unused. One idle second in a hundred
-- keeps it where it is. Where hardly anybody shows up at all, it would only serve places in vain.
local function adapt_margin()
  local is_idle = size_of(key.pending_claims) == 0 and could_admit()
  local is_starving = is_idle and show_rate() >= 0.05
  local margin_ms = room.pull_margin_ms + (is_starving and 600 or -6)
  set("pull_margin_ms", math.min(6000, math.max(0, margin_ms)))
end

--- `max_active`: visitors who come late or not at all would leave places free, so a few more are called, who wait, ready to
-- enter, until a visitor leaves: by the margin up to one, or as many as leave in 10 s.
local function reserve_of()
  local most = math.max(1, (room.max_active or 0) * 10000 / room.duration_ms)
  return room.pull_margin_ms / 6000 * most
end

--- How many visitors shall be ready to enter: 3 s of outflow and the margin, as many as there is room for and the
-- reserve, or the less of both; null for all.
local function target_of_claims()
  local limit = plan_limit()
  local free = capacity_free()
  local most = free ~= nil and free + reserve_of() or nil
  if limit == nil then
    return most
  end
  local flow = math.max(1, limit * (3000 + room.pull_margin_ms) / 60000)
  return math.min(flow, most or flow)
end

local function serve_to_target()
  local waiting = people_waiting()
  if waiting <= 0 then
    return
  end
  local target = target_of_claims()
  if target == nil then
    serve(waiting)
    return
  end
  local wanted = (target - size_of(key.pending_claims) - expected_shows(show_rate())) / show_rate()
  serve(math.min(math.floor(wanted + 0.5), waiting))
end

--- The inlets `periodic`, `adaptive` and `max_active`, at most once in a second of the flow clock.
local function run_inlet()
  local second = math.floor(room.flow_ms / 1000)
  if second <= room.pull_second then
    return
  end
  set("pull_second", second)
  settle_batches()
  if not may_serve() or people_waiting() <= 0 then
    return
  end
  adapt_margin()
  serve_to_target()
end

--- `max_active`: an admission has ended, and the next visitor is served at once.
local function refill()
  if room.inlet_type == "max_active" and may_serve() then
    serve_to_target()
  end
end

--- How many newcomers may pass without waiting, where nobody waits and at most `most` come: as many as the limits and the capacity
-- admit now, less those who are ready or expected.
local function places_served_at_once(most)
  if not may_serve() or is_on_hold() then
    return 0
  end
  prune_pending_claims(500)
  prune_log(room)
  local claiming = size_of(key.pending_claims) + expected_shows(show_rate())
  local places = most
  local shared = shared_slots_now()
  if shared ~= nil then
    places = math.min(places, math.floor(shared - claiming))
  end
  local free = capacity_free()
  if free ~= nil then
    places = math.min(places, math.floor(free - claiming))
  end
  local rate = rate_per_minute()
  if room.limit ~= nil and rate ~= nil then
    places = math.min(places, math.floor(slots_now(room, room.limit, rate) - claiming))
  end
  return math.max(0, places)
end
