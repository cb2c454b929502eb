-- The admission on record. Changes nothing.
-- KEYS: state, admissions. ARGV: sub.
-- Returns the record's JSON, or '' without one; now and the flow clock (ms); up to when admissions of the idle phase have
--   ended (ms).

load({ 'at_ms', 'flow_ms', 'idle_ended_ms' })
local json = room.at_ms > 0 and redis.call('HGET', key.admissions, arg.sub) or ''
local now_ms = server_now_ms()
return { json, now_ms, room.flow_ms + clamp_step(now_ms - room.at_ms), room.idle_ended_ms }
