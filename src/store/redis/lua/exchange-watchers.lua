-- Keeps what a process says of its watchers, and answers what others say. The twin of memory/watchers.ts.
-- KEYS: watchers (a hash: by process 'EXPIRES_MS:TEXT'). ARGV: process; text ('' takes it away); lease_ms.
-- Returns the texts of the others whose lease has not ended.
-- Invariant: what nobody says any more is gone with its lease.

local now_ms = server_now_ms()
local texts = {}
local entries = redis.call('HGETALL', key.watchers)
for i = 1, #entries, 2 do
  local expires_ms, text = string.match(entries[i + 1], '^(%d+):(.*)$')
  -- No lease is longer than that; a longer one is of a clock that was set back.
  local left_ms = tonumber(expires_ms) - now_ms
  if left_ms <= 0 or left_ms > 60000 then redis.call('HDEL', key.watchers, entries[i])
  elseif entries[i] ~= arg.process then texts[#texts + 1] = text end
end
if arg.text == '' then redis.call('HDEL', key.watchers, arg.process)
else
  redis.call('HSET', key.watchers, arg.process, string.format('%.0f', now_ms + tonumber(arg.lease_ms)) .. ':' .. arg.text)
  redis.call('PEXPIRE', key.watchers, 60000)
end
return texts
