-- Reads a record of oidc-provider. Changes nothing.
-- KEYS: record. Returns the payload (JSON, '' without one) and when it was consumed (s, or '').

local payload, consumed = unpack(redis.call('HMGET', key.record, 'payload', 'consumed'))
if not payload or not is_valid(key.record) then return { '', '' } end
return { payload, consumed or '' }
