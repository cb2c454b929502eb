-- Reads a record of oidc-provider. Changes nothing.
-- KEYS: record. Returns the payload (JSON, '' without one) when it was consumed (s, or ''), and by whom (or '').

local payload, consumed, by = unpack(redis.call('HMGET', key.record, 'payload', 'consumed', 'consumed_by'))
if not payload or not is_valid(key.record) then return { '', '', '' } end
return { payload, consumed or '', by or '' }
