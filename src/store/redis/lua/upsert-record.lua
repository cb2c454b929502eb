-- Writes a record of oidc-provider. What was consumed stays consumed.
-- KEYS: record. ARGV: payload (JSON); ttl_ms; bound_to_run ('1' or '0'); lost_ms (the last loss that the caller knows of). Returns 'written'.

if not is_valid(key.record, '') then redis.call('DEL', key.record) end
local now_ms = server_now_ms()
local expires_ms = string.format('%.0f', now_ms + arg.ttl_ms)
redis.call('HSET', key.record, 'payload', arg.payload, 'expires_ms', expires_ms)
if arg.bound_to_run == '1' then
  redis.call('HSET', key.record, 'run_id', run_id(), 'written_ms', string.format('%.0f', now_ms),
    'lost_ms', arg.lost_ms)
end
redis.call('PEXPIRE', key.record, arg.ttl_ms)
return { 'written' }
