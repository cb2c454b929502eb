-- A page of the admissions on record, by order of last change. Changes nothing.
-- KEYS: state, admissions, changes. ARGV: cursor; limit (1…500).
-- Returns now and the flow clock (ms), up to when admissions of the idle phase have ended (ms), the next cursor, whether
--   there are more, and the admissions as JSON.

load({ 'change_count', 'at_ms', 'flow_ms', 'idle_ended_ms' })
local now_ms = server_now_ms()
local flow_ms = room.flow_ms + clamp_step(now_ms - room.at_ms)
local cursor, more, admissions = changed_since(tonumber(arg.cursor), tonumber(arg.limit))
return { now_ms, flow_ms, room.idle_ended_ms, cursor, more, admissions }
