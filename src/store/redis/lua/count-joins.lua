-- Counts joins by block of addresses. The twin of memory/join-counts.ts.
-- KEYS: join_entries, join_rates (sorted sets: the names of blocks by the time at which their buckets are full again); join_edition (that
-- of the entries).
-- ARGV: edition ('' for rates); may_owe ('1': all joins are noted, though a bucket be empty; '': no more than
-- there are tokens for are given); joins (JSON: lists of a count, lists of
-- name, token_ms and most_ms, and how long ago they were, in ms).
-- Returns for each of them how many were given, and of each block how long it takes until its bucket is full again (ms).
-- Invariant: full buckets are not kept, and at most 200,000: of more, those go that took least. What nobody writes any more goes after a month.

local now_ms = server_now_ms()
local may_owe = arg.may_owe == '1'
local counts = may_owe and key.join_rates or key.join_entries

if arg.edition ~= '' then
  local edition = tonumber(arg.edition)
  if edition > tonumber(redis.call('GET', key.join_edition) or '0') then
    redis.call('UNLINK', counts)
    redis.call('SET', key.join_edition, arg.edition)
  end
  redis.call('PEXPIRE', key.join_edition, 2592000000)
end

local function level_of(name, at_ms)
  return math.max(0, tonumber(redis.call('ZSCORE', counts, name) or '0') - at_ms)
end

local answers = {}
for i, joins in ipairs(cjson.decode(arg.joins)) do
  local given, blocks = joins[1], joins[2]
  local ago_ms = math.min(math.max(0, joins[3]), 5000)
  if not may_owe then
    for _, block in ipairs(blocks) do
      local left = math.floor((block[3] - level_of(block[1], now_ms)) / block[2] + 0.001)
      given = math.min(given, math.max(0, left))
    end
  end
  local answer = { string.format('%.0f', given) }
  for _, block in ipairs(blocks) do
    local level = math.max(0, level_of(block[1], now_ms - ago_ms) + given * block[2] - ago_ms)
    if may_owe then level = math.min(level, 2 * block[3]) end
    if level > 0 then redis.call('ZADD', counts, string.format('%.17g', now_ms + level), block[1])
    else redis.call('ZREM', counts, block[1]) end
    answer[#answer + 1] = string.format('%.17g', level)
  end
  answers[i] = answer
end

redis.call('ZREMRANGEBYSCORE', counts, '-inf', string.format('%.0f', now_ms))
local beyond = redis.call('ZCARD', counts) - 200000
if beyond > 0 then redis.call('ZREMRANGEBYRANK', counts, 0, beyond - 1) end
local last = redis.call('ZREVRANGE', counts, 0, 0, 'WITHSCORES')
if last[2] then
  local ttl = math.min(2592000000, tonumber(last[2]) - now_ms + 60000)
  redis.call('PEXPIRE', counts, string.format('%.0f', ttl))
end
return answers
