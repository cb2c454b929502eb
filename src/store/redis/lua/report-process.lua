-- Notes what a process says of itself, and answers what all have said lately, with what the server says of itself.
-- KEYS: processes (a hash of 'MS TEXT' by id). ARGV: id; text ('': the process ends); kept_ms; most.
-- Returns now (ms), INFO, and a flat list of id, ms and text of each, the latest first.
-- Invariant: no row is older than kept_ms, and there are at most `most`.

local now_ms = server_now_ms()
if arg.text == '' then redis.call('HDEL', key.processes, arg.id)
else redis.call('HSET', key.processes, arg.id, string.format('%.0f', now_ms) .. ' ' .. arg.text) end

local rows = {}
local flat = redis.call('HGETALL', key.processes)
for i = 1, #flat, 2 do
  local ms, text = string.match(flat[i + 1], '^(%d+) (.*)$')
  rows[#rows + 1] = { id = flat[i], ms = tonumber(ms), text = text }
end
table.sort(rows, function(a, b)
  if a.ms == b.ms then return a.id < b.id end
  return a.ms > b.ms
end)

local told = {}
for i, row in ipairs(rows) do
  if i > tonumber(arg.most) or math.abs(now_ms - row.ms) > tonumber(arg.kept_ms) then
    redis.call('HDEL', key.processes, row.id)
  else
    told[#told + 1] = row.id
    told[#told + 1] = string.format('%.0f', row.ms)
    told[#told + 1] = row.text
  end
end
redis.call('PEXPIRE', key.processes, arg.kept_ms)

local info = {}
for _, section in ipairs({ 'server', 'memory', 'persistence', 'replication' }) do
  info[#info + 1] = redis.call('INFO', section)
end
return { string.format('%.0f', now_ms), table.concat(info), told }
