-- Marks a record of oidc-provider as consumed.
-- KEYS: record. ARGV: by (who does it, or ''); run (whose records count as this one's, or '').
-- Returns 'consumed' and the milliseconds until it expires; 'refused' when it was before, or is gone; or 'elsewhere', see of_other_run.
-- Invariant: of any number of calls one is answered 'consumed'.

local valid, of_run = is_valid(key.record, arg.run)
if of_run then return of_other_run(key.record, of_run) end
if not valid then return { 'refused' } end
local now_sec = string.format('%.0f', math.floor(server_now_ms() / 1000))
if redis.call('HSETNX', key.record, 'consumed', now_sec) == 0 then return { 'refused' } end
if arg.by ~= '' then redis.call('HSET', key.record, 'consumed_by', arg.by) end
return { 'consumed', redis.call('PTTL', key.record) }
