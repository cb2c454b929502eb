-- Follows an index. KEYS: index. Returns the id, or ''.

local id, expires_ms = unpack(redis.call('HMGET', key.index, 'id', 'expires_ms'))
return { id and tonumber(expires_ms) > server_now_ms() and id or '' }
