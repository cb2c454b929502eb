-- Hands out the logins whose client is to be told that the admission has ended, and forgets those that were told.
-- KEYS: state, group, group_log, log, ended_logins. ARGV: incarnation and what was seen of it; room; group; told (JSON array of ids); limit (1…500).
-- Returns 'ok' and a list: of each its id, and whether it comes again ('1' or '0').
-- Invariant: of many who ask, one is given each.

local refusal = enter({})
if refusal then return refusal end

local taken = {}
for _, login in ipairs(take_ended_logins(cjson.decode(arg.told), tonumber(arg.limit))) do
  taken[#taken + 1] = login.id
  taken[#taken + 1] = login.isLast and '0' or '1'
end
save()
return { 'ok', taken }
