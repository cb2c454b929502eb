-- Places that were moved. key.holders: hash, the ticket's number to 'moved_ms:sub'; key.moves: the same numbers, sorted
-- set by number of the last change. The twin of memory/moves.ts and memory/claimed.ts.

local max_moves = 100000

-- Whose the place is since it was moved, and when that was; nil for a place that never was.
local function holder_of(number)
  local text = redis.call('HGET', key.holders, text_of(number))
  if not text then return nil end
  local moved_ms, sub = string.match(text, '^(%d+):(.*)$')
  return sub, tonumber(moved_ms)
end

-- Whether the place was moved to somebody else.
local function is_elsewhere(number, sub)
  local holder = holder_of(number)
  return holder ~= nil and holder ~= sub
end

-- Whether the place was claimed, or had its turn: it is a lower one than the visitor was admitted with. `number`: the
-- ticket's; `record`: theirs.
local function was_claimed(position, number, sub, record)
  if has_position(key.claimed_places, position) then return true end
  if not record or record.edition ~= room.edition or position > record.usedPosition then return false end
  -- Positions that a visitor is given only grow, but those that were moved to them.
  return holder_of(number) ~= sub
end

local function put_holder(number, sub, moved_ms)
  set('change_count', room.change_count + 1)
  redis.call('HSET', key.holders, text_of(number), text_of(moved_ms) .. ':' .. sub)
  redis.call('ZADD', key.moves, text_of(room.change_count), text_of(number))
  if redis.call('HLEN', key.holders) <= max_moves then return end
  local oldest = redis.call('ZRANGE', key.moves, 0, 0)[1]
  redis.call('ZREM', key.moves, oldest)
  redis.call('HDEL', key.holders, oldest)
end

-- Makes a visitor the holder of a place, as of now. Answers when that is.
local function put_move(number, sub)
  local _, earlier_ms = holder_of(number)
  local moved_ms = math.max(room.at_ms, (earlier_ms or 0) + 1)
  put_holder(number, sub, moved_ms)
  return moved_ms
end

-- What others remember; the last move of a place counts.
local function merge_moves(memory, moves)
  if memory.edition ~= room.edition then return end
  for _, move in ipairs(moves) do
    local _, known_ms = holder_of(move.number)
    if move.number <= memory.queued and move.movedMs > (known_ms or 0) then
      put_holder(move.number, move.sub, move.movedMs)
    end
  end
end

-- Places moved after `since`, oldest change first: cursor, whether there are more, and of each number and holder.
local function moved_since(since, limit)
  if since > room.change_count then since = 0 end
  local found = redis.call('ZRANGEBYSCORE', key.moves, '(' .. text_of(since), '+inf', 'WITHSCORES',
    'LIMIT', 0, limit + 1)
  local told = math.min(#found / 2, limit)
  local more = #found / 2 > limit
  local numbers = {}
  for i = 1, told do numbers[i] = found[2 * i - 1] end
  local holders = told > 0 and redis.call('HMGET', key.holders, unpack(numbers)) or {}
  local moves = {}
  for i, number in ipairs(numbers) do
    if holders[i] then
      moves[#moves + 1] = number
      moves[#moves + 1] = holders[i]
    end
  end
  return more and tonumber(found[2 * told]) or room.change_count, more, moves
end
