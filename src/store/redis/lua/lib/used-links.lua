-- Bypass links that were used. key.used_links: sorted set by when they expire (now). The twin of memory/used-links.ts,
-- which explains it.

local keep_used_ms = 24 * 3600000
local ahead_ms = 5000

-- Whether a bypass link lets nobody in: used, over, or of a time that the room knows nothing of.
local function is_link_void(id, made_ms, expires_ms)
  if redis.call('ZSCORE', key.used_links, id) then return true end
  return room.at_ms > expires_ms or made_ms < room.life_started_ms or made_ms > room.at_ms + ahead_ms
end

local function use_link(id, expires_ms)
  local through = text_of(room.at_ms - keep_used_ms)
  local old = redis.call('ZRANGEBYSCORE', key.used_links, '-inf', through, 'LIMIT', 0, 100)
  if #old > 0 then redis.call('ZREM', key.used_links, unpack(old)) end
  redis.call('ZADD', key.used_links, text_of(expires_ms), id)
end
