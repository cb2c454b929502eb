-- Appends rows to the audit if the last one is still the one that the caller saw. The twin of memory/audit.ts.
-- KEYS: audit. ARGV: after ('SEQ:HASH', '' for no row); rows (JSON: lists of seq, hash, text, and of what it is chained to seq and
-- hash, all of them texts); rows_max; bytes_max (of the texts: a row leaves when those behind it have as many).
-- Returns 'appended' or 'conflict'.
-- Invariant: each row is chained to the one before it, or says itself that something was lost. `n` of a row are the bytes of all texts up
-- to it that there ever were.

local newest = redis.call('XREVRANGE', key.audit, '+', '-', 'COUNT', 1)[1]
local head = newest and string.match(newest[1], '^%d+') .. ':' .. newest[2][2] or ''
if head ~= arg.after then return { 'conflict' } end

-- Rows of builds that kept no bytes count as none.
local function bytes_through(entry) return tonumber(entry[2][10] or 0) end

local bytes = newest and bytes_through(newest) or 0
for _, row in ipairs(cjson.decode(arg.rows)) do
  bytes = bytes + #row[3]
  local through = string.format('%.0f', bytes)
  redis.call('XADD', key.audit, row[1] .. '-0', 'h', row[2], 't', row[3], 'bs', row[4], 'bh', row[5], 'n', through)
end

local over = math.min(1000, redis.call('XLEN', key.audit) - tonumber(arg.rows_max))
if over > 0 then
  local old = redis.call('XRANGE', key.audit, '-', '+', 'COUNT', over + 1)
  redis.call('XTRIM', key.audit, 'MINID', old[#old][1])
end

-- Numbers and bytes grow together, so the first row that stays is found by halves.
local function first_from(seq) return redis.call('XRANGE', key.audit, string.format('%.0f', seq), '+', 'COUNT', 1)[1] end
local function seq_of(entry) return tonumber(string.match(entry[1], '^%d+')) end
local through = bytes - tonumber(arg.bytes_max)
local first = first_from(0)
if first and bytes_through(first) <= through then
  local low = seq_of(first)
  local high = seq_of(redis.call('XREVRANGE', key.audit, '+', '-', 'COUNT', 1)[1])
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    local entry = first_from(middle)
    if bytes_through(entry) <= through then low = seq_of(entry) else high = middle end
  end
  redis.call('XTRIM', key.audit, 'MINID', string.format('%.0f', high))
end
return { 'appended' }
