-- Appends rows to the audit if the last one is still the one that the caller saw. The twin of memory/audit.ts.
-- KEYS: audit. ARGV: after ('SEQ:HASH', '' for no row); rows (JSON: lists of seq, hash, text, and of what it is chained to seq and
-- hash, all of them texts); rows_max.
-- Returns 'appended' or 'conflict'.
-- Invariant: each row is chained to the one before it, or says itself that something was lost.

local newest = redis.call('XREVRANGE', key.audit, '+', '-', 'COUNT', 1)[1]
local head = newest and string.match(newest[1], '^%d+') .. ':' .. newest[2][2] or ''
if head ~= arg.after then return { 'conflict' } end

for _, row in ipairs(cjson.decode(arg.rows)) do
  redis.call('XADD', key.audit, row[1] .. '-0', 'h', row[2], 't', row[3], 'bs', row[4], 'bh', row[5])
end

local over = math.min(1000, redis.call('XLEN', key.audit) - tonumber(arg.rows_max))
if over > 0 then
  local old = redis.call('XRANGE', key.audit, '-', '+', 'COUNT', over + 1)
  redis.call('XTRIM', key.audit, 'MINID', old[#old][1])
end
return { 'appended' }
