-- Which run of a server answers: restart, failover and a restored snapshot each give another id. Nothing but INFO
-- tells, and every script asks anew, because the answer may change between any two of them.

local function run_id()
  return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
end

-- Now, in microseconds.
local function server_now_us()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
