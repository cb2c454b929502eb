-- The limiter, of a room or of a shared outflow: { state, put, log }. `log` names a list of 'at:count' (flow clock),
-- oldest first; `state` keeps the running total `log_total`, the pacing's `tat_ms` and the clock `flow_ms`, and `put`
-- changes them. The twin of memory/limiter.ts, which explains it.

local window_ms = 60200
local log_bucket_ms = 100
local exact_up_to = 1000
-- Up to here a limit is kept by even spacing alone: a burst would make the next one wait for most of a minute.
local spaced_up_to = 5
local pace = 1.03
local tolerance_ms = 500
local quick_tolerance_ms = 1000
local quick_from = 60
local max_tolerance_ms = 3500
local horizon_ms = 8000

local function room_limiter()
  return { state = room, put = set, log = key.log }
end

local function parse_entry(entry)
  local at_ms, count_there = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at_ms), tonumber(count_there)
end

-- All entries of the log: no more than one for each millisecond of the window.
local function read_log(limiter)
  local entries = {}
  for start = 0, 61000, 1000 do
    local texts = redis.call('LRANGE', limiter.log, start, start + 999)
    for _, text in ipairs(texts) do entries[#entries + 1] = { parse_entry(text) } end
    if #texts < 1000 then break end
  end
  return entries
end

-- Adds what another log admitted within the window to this one, by age, in buckets that count from their ends.
local function add_log(limiter, other)
  local added = read_log(other)
  if #added == 0 then return end
  local flow_ms = limiter.state.flow_ms
  local ahead_ms = flow_ms - other.state.flow_ms
  for _, entry in ipairs(added) do entry[1] = math.ceil((ahead_ms + entry[1]) / log_bucket_ms) * log_bucket_ms end
  local all = read_log(limiter)
  for _, entry in ipairs(added) do all[#all + 1] = entry end
  table.sort(all, function(a, b) return a[1] < b[1] end)
  local texts, total = {}, 0
  local last_ms, last_count = 0, 0
  local function close_entry()
    if last_count > 0 then texts[#texts + 1] = text_of(last_ms) .. ':' .. text_of(last_count) end
    total = total + last_count
  end
  for _, entry in ipairs(all) do
    if entry[1] + window_ms > flow_ms then
      if entry[1] ~= last_ms then
        close_entry()
        last_ms, last_count = entry[1], 0
      end
      last_count = last_count + entry[2]
    end
  end
  close_entry()
  redis.call('DEL', limiter.log)
  for first = 1, #texts, 1000 do
    redis.call('RPUSH', limiter.log, unpack(texts, first, math.min(first + 999, #texts)))
  end
  limiter.put('log_total', total)
end

-- Takes admissions that left the window out of the running total. With a limit the log holds no more than 1,700
-- entries; where phases without a line have filled it, several calls prune it.
local function prune_log(limiter)
  for _ = 1, 2000 do
    local entry = redis.call('LINDEX', limiter.log, 0)
    if not entry then
      -- Should the log alone be lost, its total is lost with it.
      if limiter.state.log_total ~= 0 then limiter.put('log_total', 0) end
      break
    end
    local at_ms, count_there = parse_entry(entry)
    if at_ms + window_ms > limiter.state.flow_ms then break end
    redis.call('LPOP', limiter.log)
    limiter.put('log_total', limiter.state.log_total - count_there)
  end
end

-- When the log lets the (rank + 1)-th admission from now through. No more than 4 s of the log is looked at.
local function log_slot(limiter, limit, rank)
  local flow_ms = limiter.state.flow_ms
  local too_many = limiter.state.log_total + rank + 1 - limit
  if too_many <= 0 then return flow_ms end
  for start = 0, 1900, 100 do
    local entries = redis.call('LRANGE', limiter.log, start, start + 99)
    for _, entry in ipairs(entries) do
      local at_ms, count_there = parse_entry(entry)
      if at_ms + window_ms > flow_ms + horizon_ms then return flow_ms + horizon_ms end
      too_many = too_many - count_there
      if too_many <= 0 then return at_ms + window_ms end
    end
    if #entries < 100 then break end
  end
  return flow_ms + horizon_ms
end

-- A rate below the limit is kept by the pacing alone.
local function interval_ms(limit, rate)
  if rate <= spaced_up_to then return window_ms / rate end
  return rate < limit and 60000 / rate or 60000 / (pace * limit)
end

-- While nobody waits, a burst may use what two seconds may see at most: a tenth of the limit, or one admission.
local function tolerance_of(limit, nobody_waits, rate)
  if rate <= spaced_up_to then return quick_tolerance_ms end
  local least_ms = rate < quick_from and tolerance_ms or quick_tolerance_ms
  if not nobody_waits then return least_ms end
  local most = math.max(1, math.floor(rate / 10))
  return math.max(least_ms, math.min(max_tolerance_ms, most * interval_ms(limit, rate) - 2050))
end

-- The time (flow clock) at which the (rank + 1)-th admission from now is possible. The log must have been pruned. `rate`: what
-- the pacing goes by, at most the limit; nil for the limit.
local function limiter_slot(limiter, limit, rank, nobody_waits, rate)
  local flow_ms = limiter.state.flow_ms
  rate = rate or limit
  local paced = math.max(limiter.state.tat_ms, flow_ms) + rank * interval_ms(limit, rate)
    - tolerance_of(limit, nobody_waits, rate)
  return math.max(flow_ms, paced, log_slot(limiter, limit, rank))
end

-- How many admissions are possible at this moment, while nobody waits. The log must have been pruned.
local function slots_now(limiter, limit, rate)
  local flow_ms = limiter.state.flow_ms
  rate = rate or limit
  local spare_ms = flow_ms + tolerance_of(limit, true, rate) - math.max(limiter.state.tat_ms, flow_ms)
  local paced = spare_ms < 0 and 0 or math.floor(spare_ms / interval_ms(limit, rate)) + 1
  return math.max(0, math.min(paced, limit - limiter.state.log_total))
end

-- The furthest that the pacing of this limit can have got at a time of the flow clock.
local function latest_tat(limit, flow_ms, rate)
  rate = rate or limit
  return flow_ms + tolerance_of(limit, true, rate) + interval_ms(limit, rate)
end

-- Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once.
local function record_admission(limiter, limit, rate)
  local flow_ms = limiter.state.flow_ms
  local is_exact = limit ~= nil and limit <= exact_up_to
  -- A bucket counts from its end, so that an admission never leaves the window early.
  local time_ms = is_exact and flow_ms or (math.floor(flow_ms / log_bucket_ms) + 1) * log_bucket_ms
  local last = redis.call('LINDEX', limiter.log, -1)
  local last_ms, count_there = parse_entry(last or '0:0')
  if last and last_ms >= time_ms then
    redis.call('LSET', limiter.log, -1, text_of(last_ms) .. ':' .. text_of(count_there + 1))
  else redis.call('RPUSH', limiter.log, text_of(time_ms) .. ':1') end
  limiter.put('log_total', limiter.state.log_total + 1)
  if limit == nil then return end
  -- Phases without a line admit faster than the limit. The log counts that for a minute; the pacing must not for longer.
  rate = rate or limit
  local tat_ms = math.max(limiter.state.tat_ms, flow_ms) + interval_ms(limit, rate)
  limiter.put('tat_ms', math.min(tat_ms, latest_tat(limit, flow_ms, rate)))
end
