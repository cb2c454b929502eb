-- How many admissions are live, and may be. The state keeps `ghosts` and `remembered_lapses` as 'until:count,…' (flow
-- clock).
-- The twin of memory/capacity.ts.

local max_lapses = 8

local function lapsed_count()
  return redis.call('ZCOUNT', key.live, '-inf', text_of(room.flow_ms))
end

-- Live admissions. Those that have lapsed and are not yet cleaned up are taken to be the ones that had exited.
local function live_count()
  local lapsed = lapsed_count()
  return redis.call('ZCARD', key.live) - lapsed - math.max(0, room.exited - lapsed)
end

-- What may be live though nobody knows the admission.
local function ghost_count()
  local sum = 0
  for _, lapse in ipairs(decode_list(room.ghosts)) do
    if lapse[1] > room.flow_ms then sum = sum + lapse[2] end
  end
  return sum
end

-- How many more admissions may be live; nil without such a bound.
local function capacity_free()
  if room.inlet_type ~= 'max_active' or room.max_active == nil then return nil end
  return room.max_active - live_count() - ghost_count()
end

-- So many ghosts, the earliest first, have turned out to be admissions that are known, or to have left.
local function lay_ghosts(left)
  if left <= 0 or room.ghosts == '' then return end
  local ghosts = decode_list(room.ghosts)
  for _, lapse in ipairs(ghosts) do
    local laid = lapse[1] > room.flow_ms and math.min(left, lapse[2]) or 0
    left = left - laid
    lapse[2] = lapse[2] - laid
  end
  set('ghosts', encode_list(ghosts))
end

-- So many have left the site, nobody knows who: live ones first, then ghosts. Answers how many there were to leave.
local function note_exits(exits)
  local live = redis.call('ZCARD', key.live)
  local left = math.min(exits, live - room.exited + ghost_count())
  if is_line_moving() then note_ended_early(left) end
  lay_ghosts(room.exited + exits - live)
  set('exited', math.min(room.exited + exits, live))
  return left
end

local function prune_ghosts()
  if room.ghosts == '' then return end
  local kept = {}
  for _, lapse in ipairs(decode_list(room.ghosts)) do
    if lapse[1] > room.flow_ms and lapse[2] > 0 then kept[#kept + 1] = lapse end
  end
  set('ghosts', encode_list(kept))
end

local function is_before(a, b)
  if a[1] ~= b[1] then return a[1] < b[1] end
  return a[2] < b[2]
end

-- At most eight, the earliest by itself.
local function join_lapses(found)
  local lapses = {}
  for _, lapse in ipairs(found) do
    if lapse[2] > 0 then lapses[#lapses + 1] = lapse end
  end
  table.sort(lapses, is_before)
  local earliest = table.remove(lapses, 1)
  if not earliest then return {} end
  if earliest[2] > 1 then table.insert(lapses, 1, { earliest[1], earliest[2] - 1 }) end
  while #lapses >= max_lapses do
    local first = table.remove(lapses, 1)
    lapses[1] = { lapses[1][1], first[2] + lapses[1][2] }
  end
  table.insert(lapses, 1, { earliest[1], 1 })
  return lapses
end

-- When live admissions and ghosts lapse, in at most eight steps, the earliest by itself; each is late rather than early.
local function live_lapses()
  if room.inlet_type ~= 'max_active' then return {} end
  local lapses = {}
  for _, lapse in ipairs(decode_list(room.ghosts)) do
    if lapse[1] > room.flow_ms then lapses[#lapses + 1] = lapse end
  end
  local lapsed = lapsed_count()
  -- Those that have exited are taken to be the ones that lapse first.
  local skipped = lapsed + math.max(0, room.exited - lapsed)
  local live = redis.call('ZCARD', key.live) - skipped
  local counted = 0
  -- The first by itself, and the others in seven steps.
  for step = 0, max_lapses - 1 do
    local up_to = math.min(1, live) + math.floor(math.max(0, live - 1) * step / (max_lapses - 1))
    if up_to > counted then
      local index = text_of(skipped + up_to - 1)
      local last = redis.call('ZRANGE', key.live, index, index, 'WITHSCORES')
      if last[2] then lapses[#lapses + 1] = { tonumber(last[2]), up_to - counted } end
    end
    counted = up_to
  end
  local told = join_lapses(lapses)
  for _, lapse in ipairs(told) do lapse[1] = to_wall(lapse[1]) end
  return told
end

-- The lapses that are still to come, and how many they are.
local function lapses_ahead(text)
  local lapses, sum = {}, 0
  for _, lapse in ipairs(decode_list(text)) do
    if lapse[1] > room.flow_ms then
      lapses[#lapses + 1] = lapse
      sum = sum + lapse[2]
    end
  end
  return lapses, sum
end

-- All but the first so many.
local function without_first(lapses, left)
  left = math.max(0, left)
  local kept = {}
  for _, lapse in ipairs(lapses) do
    local dropped = math.min(left, lapse[2])
    left = left - dropped
    if lapse[2] > dropped then kept[#kept + 1] = { lapse[1], lapse[2] - dropped } end
  end
  return kept
end

-- The end of a recovery. Ghosts that the state knows stay; what was remembered to be live beyond them, and beyond the
-- admissions on record, becomes ghosts too: no more in all than may be live.
local function raise_ghosts()
  local ghosts, sum = lapses_ahead(room.ghosts)
  local remembered = lapses_ahead(room.remembered_lapses)
  set('remembered_lapses', '')
  set('ghosts', '')
  if room.inlet_type ~= 'max_active' or room.max_active == nil then return end
  local live = live_count()
  for _, lapse in ipairs(without_first(remembered, live + sum)) do
    ghosts[#ghosts + 1] = lapse
    sum = sum + lapse[2]
  end
  table.sort(ghosts, is_before)
  set('ghosts', encode_list(without_first(ghosts, sum - (room.max_active - live))))
end
