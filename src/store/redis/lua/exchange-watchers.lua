-- Keeps what a process says of its watchers, and answers what others say. The twin of memory/watchers.ts.
-- KEYS: watchers (a sorted set of 'PROCESS TEXT' by the end of its lease). ARGV: process; text ('' takes it away); lease_ms.
-- Returns the texts of the others whose lease has not ended.
-- Invariant: what nobody says any more is gone with its lease, and there are at most 64.

local now_ms = server_now_ms()
redis.call('ZREMRANGEBYSCORE', key.watchers, '-inf', string.format('%.0f', now_ms))
-- No lease is longer than that: a longer one is of a clock that was set back.
redis.call('ZREMRANGEBYSCORE', key.watchers, string.format('(%.0f', now_ms + 60000), '+inf')
local texts = {}
for _, entry in ipairs(redis.call('ZRANGE', key.watchers, 0, 63)) do
  local process, text = string.match(entry, '^(%S+) (.*)$')
  if process == arg.process then redis.call('ZREM', key.watchers, entry) else texts[#texts + 1] = text end
end
if arg.text ~= '' then
  redis.call('ZADD', key.watchers, string.format('%.0f', now_ms + tonumber(arg.lease_ms)), arg.process .. ' ' .. arg.text)
  redis.call('ZREMRANGEBYRANK', key.watchers, 0, -65)
  redis.call('PEXPIRE', key.watchers, 60000)
end
return texts
