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

-- Records that places up to the serving counter are served as of now; advances close together share a row.
local function add_advance()
  load({ 'serving_high' })
  if room.serving > room.serving_high then set('serving_high', room.serving) end
  local grain_ms = math.max(1000, room.claim_within_ms / 1000)
  local last = last_row()
  local since_ms = room.claim_ms
  if last and room.claim_ms - last.since_ms < grain_ms then
    redis.call('ZREM', key.rows, last.member)
    since_ms = last.since_ms
  end
  put_row(room.serving, since_ms, room.claim_ms)
end

-- Takes back advances beyond the serving counter, which an operator has moved back.
local function take_back_advances()
  set('expired_through', math.min(room.expired_through, room.serving))
  local cut = redis.call('ZRANGEBYSCORE', key.rows, '(' .. text_of(room.serving), '+inf', 'LIMIT', 0, 1)[1]
  redis.call('ZREMRANGEBYSCORE', key.rows, '(' .. text_of(room.serving), '+inf')
  local last = last_row()
  if cut and (last and last.to or 0) < room.serving then
    cut = parse_row(cut)
    put_row(room.serving, cut.since_ms, cut.at_ms)
  end
end

-- When the place was served (claim clock); 0, before all times, when its row is gone.
local function served_at(position)
  if position <= room.expired_through then return 0 end
  local member = redis.call('ZRANGEBYSCORE', key.rows, text_of(position), '+inf', 'LIMIT', 0, 1)[1]
  return member and parse_row(member).at_ms or 0
end

-- Drops the rows whose places were served longer ago than they may be claimed, at most `limit`.
local function expire_advances(limit)
  local oldest_ms = room.claim_ms - room.claim_within_ms
  for _, member in ipairs(redis.call('ZRANGE', key.rows, 0, limit - 1)) do
    local row = parse_row(member)
    if row.at_ms >= oldest_ms then return end
    redis.call('ZREM', key.rows, member)
    set('expired_through', math.max(room.expired_through, row.to))
  end
end
