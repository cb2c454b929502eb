-- Who knocks. key.knocks: positions by position; key.knock_times: by the flow clock; key.held_times: by the claim
-- clock; key.held: the same positions by position. The twin of memory/knocks.ts.

local function prune_times(times, before_ms, limit)
  local positions = redis.call('ZRANGEBYSCORE', times, '-inf', '(' .. text_of(before_ms), 'LIMIT', 0, limit)
  if #positions > 0 then redis.call('ZREM', times, unpack(positions)) end
  return positions
end

-- Forgets those who have not knocked for 5 s of the flow clock, at most `limit`.
local function prune_knocks(limit)
  local gone = prune_times(key.knock_times, room.flow_ms - 5000, limit)
  if #gone > 0 then redis.call('ZREM', key.knocks, unpack(gone)) end
  local let_go = prune_times(key.held_times, room.claim_ms - 30000, limit)
  if #let_go > 0 then redis.call('ZREM', key.held, unpack(let_go)) end
end

-- The lowest place that was refused lately; rows with such places do not expire.
local function lowest_held()
  return tonumber(redis.call('ZRANGE', key.held, 0, 0)[1] or math.huge)
end

-- How many lower positions are knocking.
local function knock_rank(position)
  return redis.call('ZCOUNT', key.knocks, '-inf', '(' .. text_of(position))
end

local function is_knocking(position)
  return redis.call('ZSCORE', key.knock_times, text_of(position)) and true or false
end

-- Whether the limiter has kept this place from being claimed lately, so that it does not expire.
local function is_exempt(position)
  local held_ms = redis.call('ZSCORE', key.held_times, text_of(position))
  return held_ms and tonumber(held_ms) >= room.claim_ms - 30000
end

local function knock(position)
  local member = text_of(position)
  redis.call('ZADD', key.knocks, member, member)
  redis.call('ZADD', key.knock_times, text_of(room.flow_ms), member)
  redis.call('ZADD', key.held_times, text_of(room.claim_ms), member)
  redis.call('ZADD', key.held, member, member)
end

-- Whoever comes with a bypass link knocks at position 0, before all places. That keeps no place from expiring.
local function knock_first()
  redis.call('ZADD', key.knocks, '0', '0')
  redis.call('ZADD', key.knock_times, text_of(room.flow_ms), '0')
end

local function stop_knocking_first()
  if redis.call('ZREM', key.knocks, '0') == 1 then redis.call('ZREM', key.knock_times, '0') end
end

local function stop_knocking(position)
  local member = text_of(position)
  if redis.call('ZREM', key.knocks, member) == 1 then redis.call('ZREM', key.knock_times, member) end
  if redis.call('ZREM', key.held_times, member) == 1 then redis.call('ZREM', key.held, member) end
end

local function clear_knocks()
  redis.call('DEL', key.knocks, key.knock_times, key.held_times, key.held)
end
