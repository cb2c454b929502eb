-- The admissions on record of visitors. Changes nothing.
-- ARGV: request: { subs }. Returns as `reply`, and of each sub in its order the record (JSON), or ''.

local records = room.at_ms > 0 and redis.call('HMGET', key.admissions, unpack(request.subs)) or {}
as_of_now()
local answer = reply(true)
for index = 1, #request.subs do answer[#answer + 1] = records[index] or '' end
return answer
