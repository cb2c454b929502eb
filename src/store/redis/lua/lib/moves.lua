-- Places that were moved. key.holders: hash, position to 'edition:moved_ms:sub'; key.moves: the same positions, sorted set by
-- number of the last change. The twin of memory/moves.ts and memory/claimed.ts.

local max_moves = 100000

-- Nil for one of another edition: a build that knew nothing of moves has reset the room and left it behind.
local function read_holder(text)
  local edition, moved_ms, sub = string.match(text, '^(%d+):(%d+):(.*)$')
  if tonumber(edition) == room.edition then return sub, tonumber(moved_ms) end
end

-- Whose the place is since it was moved, and when that was; nil for a place that never was.
local function holder_of(position)
  local text = redis.call('HGET', key.holders, text_of(position))
  if text then return read_holder(text) end
end

-- Whether the place was moved to somebody else.
local function is_elsewhere(position, sub)
  local holder = holder_of(position)
  return holder ~= nil and holder ~= sub
end

-- Whether the place was claimed, or had its turn: it is a lower one than the visitor was admitted with. `record`: theirs.
local function was_claimed(position, sub, record)
  if has_position(key.claimed_places, position) then return true end
  if not record or record.edition ~= room.edition or position > record.usedPosition then return false end
  -- Positions that a visitor is given only grow, but those that were moved to them.
  return holder_of(position) ~= sub
end

local function put_holder(position, sub, moved_ms)
  set('change_count', room.change_count + 1)
  redis.call('HSET', key.holders, text_of(position), text_of(room.edition) .. ':' .. text_of(moved_ms) .. ':' .. sub)
  redis.call('ZADD', key.moves, text_of(room.change_count), text_of(position))
  if redis.call('HLEN', key.holders) <= max_moves then return end
  local oldest = redis.call('ZRANGE', key.moves, 0, 0)[1]
  redis.call('ZREM', key.moves, oldest)
  redis.call('HDEL', key.holders, oldest)
end

-- Makes a visitor the holder of a place, as of now. Answers when that is.
local function put_move(position, sub)
  local _, earlier_ms = holder_of(position)
  local moved_ms = math.max(room.at_ms, (earlier_ms or 0) + 1)
  put_holder(position, sub, moved_ms)
  return moved_ms
end

-- What others remember; the last move of a place counts.
local function merge_moves(memory, moves)
  if memory.edition ~= room.edition then return end
  for _, move in ipairs(moves) do
    local _, known_ms = holder_of(move.position)
    if move.position <= memory.queued and move.movedMs > (known_ms or 0) then
      put_holder(move.position, move.sub, move.movedMs)
    end
  end
end

-- Places moved after `since`, oldest change first: cursor, whether there are more, and of each position and holder.
local function moved_since(since, limit)
  if since > room.change_count then since = 0 end
  local found = redis.call('ZRANGEBYSCORE', key.moves, '(' .. text_of(since), '+inf', 'WITHSCORES',
    'LIMIT', 0, limit + 1)
  local told = math.min(#found / 2, limit)
  local more = #found / 2 > limit
  local positions = {}
  for i = 1, told do positions[i] = found[2 * i - 1] end
  local holders = told > 0 and redis.call('HMGET', key.holders, unpack(positions)) or {}
  local moves = {}
  for i, position in ipairs(positions) do
    if holders[i] and read_holder(holders[i]) then
      moves[#moves + 1] = position
      moves[#moves + 1] = holders[i]
    end
  end
  return more and tonumber(found[2 * told]) or room.change_count, more, moves
end
