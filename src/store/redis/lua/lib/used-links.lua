-- Links that were used. key.used_links: bypass links, sorted set by when they expire (now); key.used_moves: likewise those
-- that carry a place. The twin of memory/used-links.ts, which explains it.

local keep_used_ms = 24 * 3600000
local ahead_ms = 5000
local max_used_moves = 100000

-- Whether a link is good for nothing: used, over, or of a time that the room knows nothing of. `used`: key of its kind.
local function is_link_void(used, id, made_ms, expires_ms)
  if redis.call('ZSCORE', used, id) then return true end
  return room.at_ms > expires_ms or made_ms < room.life_started_ms or made_ms > room.at_ms + ahead_ms
end

local function use_link(id, expires_ms)
  local through = text_of(room.at_ms - keep_used_ms)
  local old = redis.call('ZRANGEBYSCORE', key.used_links, '-inf', through, 'LIMIT', 0, 100)
  if #old > 0 then redis.call('ZREM', key.used_links, unpack(old)) end
  redis.call('ZADD', key.used_links, text_of(expires_ms), id)
end

local function use_move_link(id, expires_ms)
  redis.call('ZADD', key.used_moves, text_of(expires_ms), id)
  if redis.call('ZCARD', key.used_moves) > max_used_moves then redis.call('ZREMRANGEBYRANK', key.used_moves, 0, 0) end
end
