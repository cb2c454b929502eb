-- Logins whose client is to be told that the admission has ended. key.ended_logins: sorted set of 'ATTEMPTS:ADMITTED_MS:SUB:CLIENT'
-- by when they are due (flow clock). The twin of memory/ended-logins.ts; see store/ended-logins.ts.

local max_attempts = 9
local first_retry_ms = 30000
local max_ended_logins = 100000

-- Lines up the clients that want to be told that the admission is over.
local function line_up_ended(record)
  for _, login in ipairs(record.logins) do
    local client = string.match(login, '^[^:]*:(.+)$')
    if client then
      local member = '0:' .. text_of(record.admittedMs) .. ':' .. record.sub .. ':' .. client
      redis.call('ZADD', key.ended_logins, 'NX', text_of(room.flow_ms), member)
      if redis.call('ZCARD', key.ended_logins) > max_ended_logins then redis.call('ZPOPMAX', key.ended_logins) end
    end
  end
end

-- Hands out those that are due, at most `limit`: each as it was taken this time, and whether it comes again ('1' or '0').
local function take_ended(limit)
  local taken = {}
  local due = redis.call('ZRANGEBYSCORE', key.ended_logins, '-inf', text_of(room.flow_ms), 'LIMIT', 0, limit)
  for _, member in ipairs(due) do
    redis.call('ZREM', key.ended_logins, member)
    local attempts, rest = string.match(member, '^(%d+):(.*)$')
    local attempt = tonumber(attempts) + 1
    local id = attempt .. ':' .. rest
    local comes_again = attempt < max_attempts
    if comes_again then
      redis.call('ZADD', key.ended_logins, text_of(room.flow_ms + first_retry_ms * 2 ^ (attempt - 1)), id)
    end
    taken[#taken + 1] = id
    taken[#taken + 1] = comes_again and '1' or '0'
  end
  return taken
end
