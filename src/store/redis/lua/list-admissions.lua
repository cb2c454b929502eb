-- A page of the admissions on record, by order of last change. Changes nothing.
-- KEYS: state, admissions, changes. ARGV: cursor; limit (1…500).
-- Returns now (ms), up to when admissions of the idle phase have ended (ms), the next cursor, whether there are more,
--   and the admissions as JSON.

load({ 'change_count', 'idle_ended_ms' })
local cursor, more, admissions = changed_since(tonumber(arg.cursor), tonumber(arg.limit))
return { server_now_ms(), room.idle_ended_ms, cursor, more, admissions }
