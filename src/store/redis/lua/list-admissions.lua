-- A page of the admissions on record, by order of last change. Changes nothing.
-- KEYS: state, admissions, changes. ARGV: cursor; limit (1…500).
-- Returns now (ms), the next cursor, whether there are more, and the admissions as JSON.

load({ 'change_count' })
local cursor, more, admissions = changed_since(tonumber(arg.cursor), tonumber(arg.limit))
return { server_now_ms(), cursor, more, admissions }
