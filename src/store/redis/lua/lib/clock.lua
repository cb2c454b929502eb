-- The only source of time: Redis's own clock. Tests put another file in this one's place.

-- Now, in whole milliseconds.
local function server_now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
