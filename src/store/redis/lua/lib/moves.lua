-- Lists of moved places, by order of last change.

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
