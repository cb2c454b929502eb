-- Hands out the logins whose client is to be told that the admission has ended, and forgets those that were told.
-- KEYS: state, group, group_log, log, ended_logins. ARGV: life and what was seen of it; room; group; told (JSON array of ids); limit (1…500).
-- Returns 'ok' and a list: of each its id, and whether it comes again ('1' or '0').
-- Invariant: of many who ask, one is given each.

local refusal = enter({})
if refusal then return refusal end

for _, id in ipairs(cjson.decode(arg.told)) do redis.call('ZREM', key.ended_logins, id) end
local taken = take_ended(tonumber(arg.limit))
save()
return { 'ok', taken }
