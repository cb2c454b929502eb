-- Rows of advances of the serving counter. key.rows: sorted set, score `to`, member 'to:since:at' (claim clock).
-- The twin of memory/advances.ts.

local function parse_row(member)
  local to, since_ms, at_ms = string.match(member, '^(%d+):(%d+):(%d+)$')
  return { to = tonumber(to), since_ms = tonumber(since_ms), at_ms = tonumber(at_ms), member = member }
end

local function last_row()
  local member = redis.call('ZREVRANGE', key.rows, 0, 0)[1]
  return member and parse_row(member) or nil
end

local function put_row(to, since_ms, at_ms)
  local member = string.format('%.0f:%.0f:%.0f', to, since_ms, at_ms)
  redis.call('ZADD', key.rows, text_of(to), member)
end

-- Advances close together share a row.
local function add_row(to)
  local grain_ms = math.max(1000, room.claim_within_ms / 1000)
  local last = last_row()
  local since_ms = room.claim_ms
  if last and room.claim_ms - last.since_ms < grain_ms then
    redis.call('ZREM', key.rows, last.member)
    since_ms = last.since_ms
  end
  put_row(to, since_ms, room.claim_ms)
end

local function cut_rows(to)
  local cut = redis.call('ZRANGEBYSCORE', key.rows, '(' .. text_of(to), '+inf', 'LIMIT', 0, 1)[1]
  if not cut then return end
  redis.call('ZREMRANGEBYSCORE', key.rows, '(' .. text_of(to), '+inf')
  local last = last_row()
  if (last and last.to or 0) < to then
    cut = parse_row(cut)
    put_row(to, cut.since_ms, cut.at_ms)
  end
end

-- Records that places up to the serving counter are served as of now.
local function add_advance()
  if room.serving > room.serving_high then set('serving_high', room.serving) end
  add_row(room.serving)
end

-- Open places beyond `queued_before` were taken just now: they are served as of now, whenever they were opened.
local function add_taken_places(queued_before)
  cut_rows(queued_before)
  add_row(math.min(room.serving, room.queued))
end

-- Places in (low, high] that were handed out, and neither claimed nor left.
local function unused_places(low, high)
  local last = math.min(high, room.queued)
  if last <= low then return 0 end
  local used = count_positions(key.claimed_places, low + 1, last) + count_positions(key.left_places, low + 1, last)
  return math.max(0, places_between(room_gaps(), low, last) - used)
end

-- Takes back advances beyond the serving counter, which an operator has moved back.
local function take_back_advances()
  -- They get another window, and count when that is over.
  local given_back = unused_places(room.serving, room.expired_through)
  set('count_no_shows', math.max(0, room.count_no_shows - given_back))
  set('expired_through', math.min(room.expired_through, room.serving))
  cut_rows(room.serving)
end

-- When the place was served (claim clock); 0, before all times, when its row is gone.
local function served_at(position)
  if position <= room.expired_through then return 0 end
  local member = redis.call('ZRANGEBYSCORE', key.rows, text_of(position), '+inf', 'LIMIT', 0, 1)[1]
  return member and parse_row(member).at_ms or 0
end

-- Whether a served place was not claimed in time, and the limiter has not kept it from that.
local function has_expired(position, joined_ms)
  local served_ms = math.max(joined_ms, served_at(position))
  return room.claim_ms > served_ms + room.claim_within_ms and not is_exempt(position)
end

-- Drops the rows whose places were served longer ago than they may be claimed, at most `limit`, up to the first place
-- that is held at the door.
local function expire_advances(limit)
  local oldest_ms = room.claim_ms - room.claim_within_ms
  local held = lowest_held()
  local through
  for _, member in ipairs(redis.call('ZRANGE', key.rows, 0, limit - 1)) do
    local row = parse_row(member)
    if row.at_ms >= oldest_ms or row.to >= held then break end
    redis.call('ZREM', key.rows, member)
    -- Open places that nobody has taken yet have their time before them.
    through = math.max(room.expired_through, math.min(row.to, room.queued))
  end
  if not through then return end
  count('no_shows', unused_places(room.expired_through, through))
  set('expired_through', through)
end

-- Places served more than 30 s ago that may still be claimed. No second has more than one row.
local function absent_places()
  for start = 0, 950, 50 do
    local members = redis.call('ZREVRANGE', key.rows, start, start + 49)
    for _, member in ipairs(members) do
      local row = parse_row(member)
      if row.at_ms <= room.claim_ms - 30000 then return unused_places(room.expired_through, row.to) end
    end
    if #members < 50 then return 0 end
  end
  return 0
end
