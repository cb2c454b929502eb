-- Marks a record of oidc-provider as consumed.
-- KEYS: record. ARGV: by (who does it, or ''). Returns 'consumed', or 'refused' when it was before, or is gone.
-- Invariant: of any number of calls one is answered 'consumed'.

if not is_valid(key.record) then return { 'refused' } end
local now_sec = string.format('%.0f', math.floor(server_now_ms() / 1000))
if redis.call('HSETNX', key.record, 'consumed', now_sec) == 0 then return { 'refused' } end
if arg.by ~= '' then redis.call('HSET', key.record, 'consumed_by', arg.by) end
return { 'consumed' }
