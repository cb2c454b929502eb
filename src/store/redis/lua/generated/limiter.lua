-- Generated from src/core/limiter.ts by `npm run lua`. Not to be edited.
-- The limiter, of a room or of a shared outflow. A sliding log bounds every 60 s; pacing (GCRA, slightly faster than the limit,
-- a second of burst) spreads the admissions, so that no two seconds see more than a tenth of the limit and the flow is even.

local function read_log(limiter)
  local all = {}
  local start = 0
  while start < 61000 do
    local entries = entries_from(log_of(limiter), start, 1000)
    for _, entry in ipairs(entries) do
      all[#all + 1] = entry
    end
    if #entries < 1000 then
      break
    end
    start = start + 1000
  end
  return all
end

local function is_earlier(a, b)
  return a[1] < b[1]
end

--- The same of entries on a clock that this limiter's is so far ahead of.
local function add_entries(limiter, added, ahead_ms)
  if #added == 0 then
    return
  end
  local all = read_log(limiter)
  for _, entry in ipairs(added) do
    all[#all + 1] = {math.ceil((ahead_ms + entry[1]) / 100) * 100, entry[2]}
  end
  sort_by(all, is_earlier)
  local merged = {}
  local total = 0
  for _, entry in ipairs(all) do
    if entry[1] + 60200 > limiter.flow_ms then
      local last = merged[#merged]
      if last ~= nil and last[1] == entry[1] then
        last[2] = last[2] + entry[2]
      else
        merged[#merged + 1] = {entry[1], entry[2]}
      end
      total = total + entry[2]
    end
  end
  replace_entries(log_of(limiter), merged)
  put(limiter, "log_total", total)
end

--- Takes admissions that left the window out of the running total.
local function prune_log(limiter)
  local dropped = 0
  local oldest = oldest_entry(log_of(limiter))
  while oldest ~= nil and oldest[1] + 60200 <= limiter.flow_ms and dropped < 2000 do
    drop_oldest(log_of(limiter))
    put(limiter, "log_total", limiter.log_total - oldest[2])
    dropped = dropped + 1
    oldest = oldest_entry(log_of(limiter))
  end
  if oldest == nil and limiter.log_total ~= 0 then
    put(limiter, "log_total", 0)
  end
end

--- Adds what another log admitted within the window to this one, by age, in buckets that count from their ends.
local function add_log(limiter, other)
  add_entries(limiter, read_log(other), limiter.flow_ms - other.flow_ms)
end

--- When the log lets the (rank + 1)-th admission from now through.
local function log_slot(limiter, limit, rank)
  local flow_ms = limiter.flow_ms
  local too_many = limiter.log_total + rank + 1 - limit
  if too_many <= 0 then
    return flow_ms
  end
  local start = 0
  while start < 2000 do
    local entries = entries_from(log_of(limiter), start, 100)
    for _, entry in ipairs(entries) do
      if entry[1] + 60200 > flow_ms + 8000 then
        return flow_ms + 8000
      end
      too_many = too_many - entry[2]
      if too_many <= 0 then
        return entry[1] + 60200
      end
    end
    if #entries < 100 then
      break
    end
    start = start + 100
  end
  return flow_ms + 8000
end

--- A rate below the limit is kept by the pacing alone.
local function interval_ms(limit, rate)
  if rate <= 5 then
    return 60200 / rate
  end
  return rate < limit and 60000 / rate or 60000 / (1.03 * limit)
end

--- While nobody waits, a burst may use what two seconds may see at most: a tenth of the limit, or one admission.
local function tolerance_of(limit, nobody_waits, rate)
  if rate <= 5 then
    return 1000
  end
  local least_ms = rate < 60 and 500 or 1000
  if not nobody_waits then
    return least_ms
  end
  local most = math.max(1, math.floor(rate / 10))
  return math.max(least_ms, math.min(3500, most * interval_ms(limit, rate) - 2050))
end

--- The time (flow clock) at which the (rank + 1)-th admission from now is possible; now itself when it is. The log must have
-- been pruned.
--
-- @param rate what the pacing goes by, at most the limit
local function limiter_slot(limiter, limit, rank, nobody_waits, rate)
  local flow_ms = limiter.flow_ms
  local paced = math.max(limiter.tat_ms, flow_ms) + rank * interval_ms(limit, rate) - tolerance_of(limit, nobody_waits, rate)
  return math.max(flow_ms, paced, log_slot(limiter, limit, rank))
end

--- How many admissions are possible at this moment, while nobody waits. The log must have been pruned.
local function slots_now(limiter, limit, rate)
  local flow_ms = limiter.flow_ms
  local spare_ms = flow_ms + tolerance_of(limit, true, rate) - math.max(limiter.tat_ms, flow_ms)
  local paced = spare_ms < 0 and 0 or math.floor(spare_ms / interval_ms(limit, rate)) + 1
  return math.max(0, math.min(paced, limit - limiter.log_total))
end

--- The furthest that the pacing of this limit can have got at a time of the flow clock.
local function latest_tat(limit, flow_ms, rate)
  return flow_ms + tolerance_of(limit, true, rate) + interval_ms(limit, rate)
end

--- Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once.
local function record_admission(limiter, limit, rate)
  local flow_ms = limiter.flow_ms
  local is_exact = limit ~= nil and limit <= 1000
  local time_ms = is_exact and flow_ms or (math.floor(flow_ms / 100) + 1) * 100
  local last = newest_entry(log_of(limiter))
  if last ~= nil and last[1] >= time_ms then
    replace_newest(log_of(limiter), {last[1], last[2] + 1})
  else
    append_entry(log_of(limiter), {time_ms, 1})
  end
  put(limiter, "log_total", limiter.log_total + 1)
  if limit == nil or rate == nil then
    return
  end
  local next_ms = math.max(limiter.tat_ms, flow_ms) + interval_ms(limit, rate)
  put(limiter, "tat_ms", math.min(next_ms, latest_tat(limit, flow_ms, rate)))
end
