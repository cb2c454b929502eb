-- How many admissions are live, and may be. The state keeps `ghosts` and `remembered_lapses` as 'until:count,…'.
-- The twin of memory/capacity.ts.

local max_lapses = 8

local function lapsed_count()
  return redis.call('ZCOUNT', key.live, '-inf', text_of(room.at_ms))
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
    if lapse[1] > room.at_ms then sum = sum + lapse[2] end
  end
  return sum
end

-- How many more admissions may be live; nil without such a bound.
local function capacity_free()
  if room.inlet_type ~= 'max_active' or room.max_active == nil then return nil end
  return room.max_active - live_count() - ghost_count()
end

-- A ghost has turned out to be an admission that is known.
local function lay_ghost()
  local ghosts = decode_list(room.ghosts)
  for _, lapse in ipairs(ghosts) do
    if lapse[1] > room.at_ms and lapse[2] > 0 then
      lapse[2] = lapse[2] - 1
      set('ghosts', encode_list(ghosts))
      return
    end
  end
end

local function prune_ghosts()
  if room.ghosts == '' then return end
  local kept = {}
  for _, lapse in ipairs(decode_list(room.ghosts)) do
    if lapse[1] > room.at_ms and lapse[2] > 0 then kept[#kept + 1] = lapse end
  end
  set('ghosts', encode_list(kept))
end

local function join_lapses(lapses)
  table.sort(lapses, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end)
  while #lapses > max_lapses do
    local first = table.remove(lapses, 1)
    lapses[1] = { lapses[1][1], first[2] + lapses[1][2] }
  end
  return lapses
end

-- When live admissions and ghosts lapse, in at most eight steps; each is late rather than early.
local function live_lapses()
  if room.inlet_type ~= 'max_active' then return {} end
  local lapses = {}
  for _, lapse in ipairs(decode_list(room.ghosts)) do
    if lapse[1] > room.at_ms then lapses[#lapses + 1] = lapse end
  end
  local lapsed = lapsed_count()
  -- Those that have exited are taken to be the ones that lapse first.
  local skipped = lapsed + math.max(0, room.exited - lapsed)
  local live = redis.call('ZCARD', key.live) - skipped
  local counted = 0
  for step = 1, max_lapses do
    local up_to = math.floor(live * step / max_lapses)
    if up_to > counted then
      local index = text_of(skipped + up_to - 1)
      local last = redis.call('ZRANGE', key.live, index, index, 'WITHSCORES')
      if last[2] then lapses[#lapses + 1] = { tonumber(last[2]), up_to - counted } end
    end
    counted = up_to
  end
  return join_lapses(lapses)
end

-- The end of a recovery: what was remembered to be live, less what is known to be, counts until it would have lapsed.
local function raise_ghosts()
  local remembered, sum = {}, 0
  for _, lapse in ipairs(decode_list(room.remembered_lapses)) do
    if lapse[1] > room.at_ms then
      remembered[#remembered + 1] = lapse
      sum = sum + lapse[2]
    end
  end
  set('remembered_lapses', '')
  set('ghosts', '')
  if room.inlet_type ~= 'max_active' or room.max_active == nil then return end
  local live = live_count()
  local too_many = math.max(live, sum - (room.max_active - live))
  local ghosts = {}
  for _, lapse in ipairs(remembered) do
    local kept = math.max(0, lapse[2] - too_many)
    too_many = math.max(0, too_many - lapse[2])
    if kept > 0 then ghosts[#ghosts + 1] = { lapse[1], kept } end
  end
  set('ghosts', encode_list(ghosts))
end
