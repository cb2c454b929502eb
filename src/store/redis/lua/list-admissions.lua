-- A page of the admissions on record, by order of last change. Changes nothing. See core/tick.ts.
-- ARGV: request: { cursor, limit (1…500), wanted: `WantedAdmissions` }. Returns as `reply` the records; and the next
-- cursor, or '' where there are no more.

as_of_now()
local page = list_admissions(request.cursor, request.limit, request.wanted)
local answer = reply(page.records)
answer[#answer + 1] = text_of(page.cursor or '')
return answer
