-- Revokes a grant and lists its records, which the caller destroys one by one.
-- KEYS: grant. ARGV: ttl_ms (how long it is remembered as revoked). Returns the records.
-- Invariant: see file-under-grant.lua.

local records = {}
for _, field in ipairs(redis.call('HKEYS', key.grant)) do
  local record = string.match(field, '^record:(.*)$')
  if record then records[#records + 1] = record end
end
-- The list stays: a caller that fails half-way may revoke again.
redis.call('HSET', key.grant, 'revoked', string.format('%.0f', server_now_ms() + arg.ttl_ms))
if redis.call('PTTL', key.grant) < tonumber(arg.ttl_ms) then redis.call('PEXPIRE', key.grant, arg.ttl_ms) end
return records
