-- Files a record under its grant, after the record was written.
-- KEYS: grant (hash: record to when it expires; `revoked`). ARGV: record; ttl_ms.
-- Returns 'filed', or 'revoked': the grant fell before, and the caller destroys the record.
-- Invariant: a record of a revoked grant is either listed when the grant is revoked, or finds out here.

local now_ms = server_now_ms()
local expires_ms = now_ms + arg.ttl_ms
local revoked_ms = redis.call('HGET', key.grant, 'revoked')
if revoked_ms and tonumber(revoked_ms) > now_ms then return { 'revoked' } end
-- A grant that is refreshed for long sheds what has expired, a hundred records at a time.
if redis.call('HLEN', key.grant) >= 100 then
  for _, field in ipairs(redis.call('HKEYS', key.grant)) do
    if field ~= 'revoked' and tonumber(redis.call('HGET', key.grant, field)) <= now_ms then
      redis.call('HDEL', key.grant, field)
    end
  end
end
redis.call('HSET', key.grant, 'record:' .. arg.record, string.format('%.0f', expires_ms))
if redis.call('PTTL', key.grant) < tonumber(arg.ttl_ms) then redis.call('PEXPIRE', key.grant, arg.ttl_ms) end
return { 'filed' }
