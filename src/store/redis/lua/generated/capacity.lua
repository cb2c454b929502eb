-- Generated from src/core/capacity.ts by `npm run lua`. Not to be edited.
-- How many admissions are live, and may be. After a loss those that were live and are not on record count as unaccounted until they would
-- lapse; an admission from before the loss that comes on record later takes the place of the earliest, so that a late memory
-- counts as it would have in time.

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

local function lapses_ahead(lapses)
  return filter_list(
    lapses,
    function(lapse) return lapse[1] > room.flow_ms end
  )
end

local function sum_of(lapses)
  local sum = 0
  for _, lapse in ipairs(lapses) do
    sum = sum + lapse[2]
  end
  return sum
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

--- Those that have lapsed and are not yet cleaned up are taken to be the ones that had exited, and both to lapse first.
local function past_count()
  local lapsed = count_below(key.live, room.flow_ms + 1)
  return lapsed + math.max(0, room.exited - lapsed)
end

--- Live admissions.
local function live_count()
  return size_of(key.live) - past_count()
end

--- What may be live though nobody knows the admission.
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
