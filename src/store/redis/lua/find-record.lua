-- Reads a record of oidc-provider. Changes nothing.
-- KEYS: record. Returns the payload (JSON, '' without one) and when it was consumed (s, or '').

local payload, expires_ms, consumed = unpack(redis.call('HMGET', key.record, 'payload', 'expires_ms', 'consumed'))
if not payload or tonumber(expires_ms) <= server_now_ms() then return { '', '' } end
return { payload, consumed or '' }
