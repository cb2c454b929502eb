-- Takes a login of a live admission: the token that was handed over for it counts once.
-- KEYS: state, group, group_log, log, admissions, live, ended, idle, changes, claimed_places.
-- ARGV: incarnation and what was seen of it; room; group; sub; login (a hash).
-- Returns 'ok', and the record's JSON, or '' where there is no live admission, no such login under it, or it was taken before;
--   now and the flow clock (ms); up to when admissions of the idle phase have ended (ms).
-- Invariant: a login is taken once.

local refusal = enter({ 'idle_ended_ms', 'change_count' })
if refusal then return refusal end

local record = take_login(arg.sub, arg.login)
save()
return { 'ok', record and record_text(record) or '', room.at_ms, room.flow_ms, room.idle_ended_ms }
