-- The limiter. key.log: list of 'at:count' (flow clock), oldest first; the state keeps the running total.
-- The twin of memory/limiter.ts, which explains it.

local window_ms = 60200
local bucket_ms = 100
local exact_up_to = 1000
local pace = 1.03
local tolerance_ms = 500
local horizon_ms = 4000

local function parse_entry(entry)
  local at_ms, count = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at_ms), tonumber(count)
end

-- Takes admissions that left the window out of the running total; the log never holds more than 1,700 entries.
local function prune_log()
  load({ 'log_total', 'tat_ms' })
  for _ = 1, 2000 do
    local entry = redis.call('LINDEX', key.log, 0)
    if not entry then break end
    local at_ms, count = parse_entry(entry)
    if at_ms + window_ms > room.flow_ms then break end
    redis.call('LPOP', key.log)
    set('log_total', room.log_total - count)
  end
end

-- When the log lets the (rank + 1)-th admission from now through. No more than 4 s of the log is looked at.
local function log_slot(rank)
  local too_many = room.log_total + rank + 1 - room.limit
  if too_many <= 0 then return room.flow_ms end
  for start = 0, 1900, 100 do
    for _, entry in ipairs(redis.call('LRANGE', key.log, start, start + 99)) do
      local at_ms, count = parse_entry(entry)
      if at_ms + window_ms > room.flow_ms + horizon_ms then return room.flow_ms + horizon_ms end
      too_many = too_many - count
      if too_many <= 0 then return at_ms + window_ms end
    end
  end
  return room.flow_ms + horizon_ms
end

-- The time (flow clock) at which the (rank + 1)-th admission from now is possible.
local function limiter_slot(rank)
  local interval_ms = 60000 / (pace * room.limit)
  local paced = math.max(room.tat_ms, room.flow_ms) + rank * interval_ms - tolerance_ms
  return math.max(room.flow_ms, paced, log_slot(rank))
end

-- Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once.
local function record_admission()
  local is_exact = room.limit ~= nil and room.limit <= exact_up_to
  local time_ms = is_exact and room.flow_ms or (math.floor(room.flow_ms / bucket_ms) + 1) * bucket_ms
  local last = redis.call('LINDEX', key.log, -1)
  local last_ms, count = parse_entry(last or '0:0')
  if last and last_ms >= time_ms then
    redis.call('LSET', key.log, -1, text_of(last_ms) .. ':' .. text_of(count + 1))
  else redis.call('RPUSH', key.log, text_of(time_ms) .. ':1') end
  set('log_total', room.log_total + 1)
  if room.limit ~= nil then
    set('tat_ms', math.max(room.tat_ms, room.flow_ms) + 60000 / (pace * room.limit))
  end
end
