-- The admission on record. Changes nothing.
-- ARGV: request: { sub }. Returns as `reply`.

local record = room.at_ms > 0 and read_record(key.admissions, request.sub) or nil
as_of_now()
return reply(record)
