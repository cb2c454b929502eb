-- Generated from src/core/inlet.ts by `npm run lua`. Not to be edited.
-- The inlets, which serve: `periodic` and `adaptive` as many as the limit lets in soon, `max_active` as many as there is room for.
-- How much room there is follows from how many admissions are live. After a loss those that were live and are not on record count as
-- unaccounted until they would lapse; an admission from before the loss that comes on record later takes the place of the earliest, so that a late
-- memory counts as it would have in time.

local function past_count()
  local lapsed = count_below(key.live, room.flow_ms + 1)
  return lapsed + math.max(0, room.exited - lapsed)
end

--- Live admissions.
local function live_count()
  return size_of(key.live) - past_count()
end

local function sum_of(lapses)
  local sum = 0
  for _, lapse in ipairs(lapses) do
    sum = sum + lapse[2]
  end
  return sum
end

local function lapses_ahead(lapses)
  return filter_list(
    lapses,
    function(lapse) return lapse[1] > room.flow_ms end
  )
end

local function unaccounted_count()
  return sum_of(lapses_ahead(room.unaccounted))
end

--- How many more admissions may be live; null without such a bound.
local function capacity_free()
  if room.inlet_type ~= "max_active" or room.max_active == nil then
    return nil
  end
  return room.max_active - live_count() - unaccounted_count()
end

local function is_earlier_lapse(a, b)
  if a[1] ~= b[1] then
    return a[1] < b[1]
  end
  return a[2] < b[2]
end

local function join_first_two(lapses)
  local first = table.remove(lapses, 1)
  local second = lapses[1]
  if first == nil or second == nil then
    return
  end
  lapses[1] = {second[1], first[2] + second[2]}
end

local function join_lapses(found)
  local lapses = filter_list(
    found,
    function(lapse) return lapse[2] > 0 end
  )
  sort_by(lapses, is_earlier_lapse)
  local earliest = lapses[1]
  if earliest == nil then
    return {}
  end
  if earliest[2] > 1 then
    lapses[1] = {earliest[1], earliest[2] - 1}
  else
    table.remove(lapses, 1)
  end
  while #lapses >= 8 do
    join_first_two(lapses)
  end
  local joined = {{earliest[1], 1}}
  for _, lapse in ipairs(lapses) do
    joined[#joined + 1] = lapse
  end
  return joined
end

local function without_first(lapses, count)
  local left = math.max(0, count)
  local remaining = {}
  for _, lapse in ipairs(lapses) do
    local dropped = math.min(left, lapse[2])
    left = left - dropped
    if lapse[2] > dropped then
      remaining[#remaining + 1] = {lapse[1], lapse[2] - dropped}
    end
  end
  return remaining
end

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

--- So many unaccounted admissions, the earliest first, have turned out to be admissions that are known, or to have left.
local function remove_unaccounted(unaccounted)
  if unaccounted <= 0 or #room.unaccounted == 0 then
    return
  end
  local rest = {}
  local left = unaccounted
  for _, lapse in ipairs(room.unaccounted) do
    local laid = lapse[1] > room.flow_ms and math.min(left, lapse[2]) or 0
    left = left - laid
    rest[#rest + 1] = {lapse[1], lapse[2] - laid}
  end
  set("unaccounted", rest)
end

--- So many have left the site, nobody knows who: live ones first, then unaccounted admissions. Answers how many there were to leave.
local function record_exits(exits)
  local live = size_of(key.live)
  local left = math.min(exits, live - room.exited + unaccounted_count())
  if is_line_moving() then
    record_ended_early(left)
  end
  remove_unaccounted(room.exited + exits - live)
  set("exited", math.min(room.exited + exits, live))
  return left
end

local function prune_unaccounted()
  if #room.unaccounted == 0 then
    return
  end
  set(
    "unaccounted",
    filter_list(
      lapses_ahead(room.unaccounted),
      function(lapse) return lapse[2] > 0 end
    )
  )
end

--- When admissions lapse, live and unaccounted ones, in at most eight steps, the earliest by itself; each is late rather than early.
local function live_lapses()
  if room.inlet_type ~= "max_active" then
    return {}
  end
  local skipped = past_count()
  local live = size_of(key.live) - skipped
  local lapses = lapses_ahead(room.unaccounted)
  local counted = 0
  local step = 0
  while step < 8 do
    local up_to = math.min(1, live) + math.floor(math.max(0, live - 1) * step / (8 - 1))
    if up_to > counted then
      local until_ms = score_at(key.live, skipped + up_to - 1)
      if until_ms ~= nil then
        lapses[#lapses + 1] = {until_ms, up_to - counted}
      end
    end
    counted = up_to
    step = step + 1
  end
  return map_list(
    join_lapses(lapses),
    function(lapse) return {to_wall(lapse[1]), lapse[2]} end
  )
end

--- The end of a recovery. Unaccounted admissions that the state knows stay; what was remembered to be live beyond them, and beyond the
-- admissions on record, becomes unaccounted, too: no more in all than may be live.
local function add_unaccounted()
  local unaccounted = lapses_ahead(room.unaccounted)
  local remembered = lapses_ahead(room.remembered_lapses)
  set("remembered_lapses", {})
  set("unaccounted", {})
  if room.inlet_type ~= "max_active" or room.max_active == nil then
    return
  end
  local live = live_count()
  for _, lapse in ipairs(without_first(remembered, live + sum_of(unaccounted))) do
    unaccounted[#unaccounted + 1] = lapse
  end
  sort_by(unaccounted, is_earlier_lapse)
  set(
    "unaccounted",
    without_first(unaccounted, sum_of(unaccounted) - (room.max_active - live))
  )
end
