-- Ends a live admission; the first end stays.
-- KEYS: state, group, group_log, log, rows, admissions, live, ended, ended_logins, idle, changes, claimed_places, pending_claims.
-- ARGV: incarnation and what was seen of it; room; group; sub; end (why).
-- Returns 'ok', and the record's JSON, or '' when the visitor has none on record; now and the flow clock (ms); up to when
--   admissions of the idle phase have ended (ms).

local refusal = enter({ 'idle_ended_ms', 'change_count', 'exited' })
if refusal then return refusal end

local record = current_record(arg.sub)
if record and is_live(record) then end_record(record, arg['end']) end
refill()
save()
return { 'ok', record and record_text(record) or '', room.at_ms, room.flow_ms, room.idle_ended_ms }
