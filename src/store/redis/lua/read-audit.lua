-- Rows of the audit. Changes nothing.
-- KEYS: audit. ARGV: from; to (numbers of rows, '+' for the last); limit; newest_first ('1' or '0').
-- Returns a list of rows: seq, hash, text, and of what it is chained to seq and hash.

local entries
if arg.newest_first == '1' then entries = redis.call('XREVRANGE', key.audit, arg.to, arg.from, 'COUNT', arg.limit)
else entries = redis.call('XRANGE', key.audit, arg.from, arg.to, 'COUNT', arg.limit) end
local rows = {}
for i, entry in ipairs(entries) do
  local fields = entry[2]
  rows[i] = { string.match(entry[1], '^%d+'), fields[2], fields[4], fields[6], fields[8] }
end
return { rows }
