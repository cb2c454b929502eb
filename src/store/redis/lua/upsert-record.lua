-- Writes a record of oidc-provider. What was consumed stays consumed.
-- KEYS: record. ARGV: payload (JSON); ttl_ms. Returns 'written'.

local now_ms = server_now_ms()
local earlier_ms = redis.call('HGET', key.record, 'expires_ms')
if earlier_ms and tonumber(earlier_ms) <= now_ms then redis.call('DEL', key.record) end
local expires_ms = now_ms + arg.ttl_ms
redis.call('HSET', key.record, 'payload', arg.payload, 'expires_ms', string.format('%.0f', expires_ms))
redis.call('PEXPIRE', key.record, arg.ttl_ms)
return { 'written' }
