-- Ends a live admission; the first end stays.
-- KEYS: state, rows, admissions, live, ended, changes, claimed_places. ARGV: life; sub; end (why).
-- Returns 'ok', now (ms) and the record's JSON, or '' when the visitor has none on record.

local refusal = enter()
if refusal then return refusal end
load({ 'change_count' })

local record = current_record(arg.sub)
local json = record and cjson.encode(record) or ''
if record and is_live(record) then
  record.ended = arg['end']
  json = put_record(record)
end
save()
return { 'ok', room.at_ms, json }
