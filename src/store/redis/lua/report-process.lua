-- Notes what a process says of itself, and answers what all have said lately, with what the server says of itself.
-- KEYS: processes (a sorted set of the id, a line feed and the text, by when it was noted, ms). ARGV: id; text ('': the process ends); kept_ms; most.
-- Returns now (ms), INFO, and a flat list of id, ms and text of each, the latest first.
-- Invariant: no entry is older than kept_ms, there is one of each process, and there are at most `most`.

local now_ms, most = server_now_ms(), tonumber(arg.most)
redis.call('ZREMRANGEBYSCORE', key.processes, '-inf', string.format('(%.0f', now_ms - tonumber(arg.kept_ms)))
-- Nothing was noted later than now: it is of a clock that was set back.
redis.call('ZREMRANGEBYSCORE', key.processes, string.format('(%.0f', now_ms + tonumber(arg.kept_ms)), '+inf')

local rows = {}
local flat = redis.call('ZRANGE', key.processes, 0, most - 1, 'WITHSCORES')
for i = 1, #flat, 2 do
  local id, text = string.match(flat[i], '^([^\n]*)\n(.*)$')
  if id == arg.id then redis.call('ZREM', key.processes, flat[i])
  else rows[#rows + 1] = { id = id, ms = tonumber(flat[i + 1]), text = text } end
end
if arg.text ~= '' then
  redis.call('ZADD', key.processes, string.format('%.0f', now_ms), arg.id .. '\n' .. arg.text)
  redis.call('ZREMRANGEBYRANK', key.processes, 0, -most - 1)
  rows[#rows + 1] = { id = arg.id, ms = now_ms, text = arg.text }
end
redis.call('PEXPIRE', key.processes, arg.kept_ms)
table.sort(rows, function(a, b)
  if a.ms == b.ms then return a.id < b.id end
  return a.ms > b.ms
end)

local told = {}
for i = 1, math.min(#rows, most) do
  told[#told + 1] = rows[i].id
  told[#told + 1] = string.format('%.0f', rows[i].ms)
  told[#told + 1] = rows[i].text
end

local info = {}
for _, section in ipairs({ 'server', 'memory', 'persistence', 'replication' }) do
  info[#info + 1] = redis.call('INFO', section)
end
return { string.format('%.0f', now_ms), table.concat(info), told }
