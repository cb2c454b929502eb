-- Marks a record of oidc-provider as consumed.
-- KEYS: record. Returns 'consumed', or 'refused' when it was before, or is gone.
-- Invariant: of any number of calls one is answered 'consumed'.

local now_ms = server_now_ms()
local expires_ms = redis.call('HGET', key.record, 'expires_ms')
if not expires_ms or tonumber(expires_ms) <= now_ms then return { 'refused' } end
local is_first = redis.call('HSETNX', key.record, 'consumed', string.format('%.0f', math.floor(now_ms / 1000))) == 1
return { is_first and 'consumed' or 'refused' }
