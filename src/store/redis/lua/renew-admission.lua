-- Extends a live admission, where admissions are sliding.
-- KEYS: state, group, group_log, log, admissions, live, ended, ended_logins, idle, changes, claimed_places.
-- ARGV: life and what was seen of it; room; group; sub.
-- Returns 'ok', and the record's JSON, or '' when the visitor has none on record; now and the flow clock (ms); up to when
--   admissions of the idle phase have ended (ms).

local refusal = enter({ 'idle_ended_ms', 'change_count', 'duration_ms', 'max_duration_ms' })
if refusal then return refusal end

local record = current_record(arg.sub)
local json = ''
if record then json = is_live(record) and extend_record(record) or cjson.encode(record) end
save()
return { 'ok', json, room.at_ms, room.flow_ms, room.idle_ended_ms }
