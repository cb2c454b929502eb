-- What Redis has for the collections of core/ports. A collection is a key.

local function sort_by(list, is_before)
  table.sort(list, is_before)
end

-- Sorted sets.

local function set_score(set, member, score)
  redis.call('ZADD', set, text_of(score), text_of(member))
end

local function remove_member(set, member)
  return redis.call('ZREM', set, text_of(member)) == 1
end

local function remove_members(set, members)
  if #members > 0 then redis.call('ZREM', set, unpack(members)) end
end

local function count_below(set, score)
  return redis.call('ZCOUNT', set, '-inf', '(' .. text_of(score))
end

local function size_of(set)
  return redis.call('ZCARD', set)
end

local function score_of(set, member)
  local score = redis.call('ZSCORE', set, text_of(member))
  return score and tonumber(score) or nil
end

local function score_at(set, index)
  local score = redis.call('ZRANGE', set, index, index, 'WITHSCORES')[2]
  return score and tonumber(score) or nil
end

local function lowest_score(set)
  return score_at(set, 0)
end

local function take_below(set, score, limit)
  local members = redis.call('ZRANGEBYSCORE', set, '-inf', '(' .. text_of(score), 'LIMIT', 0, limit)
  remove_members(set, members)
  return members
end

local function clear_set(set)
  redis.call('DEL', set)
end

-- Advances: a sorted set of 'to:since:at' by `to`.

local function parse_row(member)
  if not member then return nil end
  local to, since_ms, at_ms = string.match(member, '^(%d+):(%d+):(%d+)$')
  return { to = tonumber(to), sinceMs = tonumber(since_ms), atMs = tonumber(at_ms) }
end

local function row_text(row)
  return string.format('%.0f:%.0f:%.0f', row.to, row.sinceMs, row.atMs)
end

local function last_row(rows)
  return parse_row(redis.call('ZREVRANGE', rows, 0, 0)[1])
end

local function append_row(rows, row)
  redis.call('ZADD', rows, text_of(row.to), row_text(row))
end

local function replace_row(rows, last, row)
  redis.call('ZREM', rows, row_text(last))
  append_row(rows, row)
end

local function row_of(rows, position)
  return parse_row(redis.call('ZRANGEBYSCORE', rows, text_of(position), '+inf', 'LIMIT', 0, 1)[1])
end

local function cut_rows(rows, to)
  local cut = redis.call('ZRANGEBYSCORE', rows, '(' .. text_of(to), '+inf', 'LIMIT', 0, 1)[1]
  if cut then redis.call('ZREMRANGEBYSCORE', rows, '(' .. text_of(to), '+inf') end
  return parse_row(cut)
end

local function first_rows(rows, most)
  local found = redis.call('ZRANGE', rows, 0, most - 1)
  for i, member in ipairs(found) do found[i] = parse_row(member) end
  return found
end

local function drop_rows(rows, many)
  redis.call('ZREMRANGEBYRANK', rows, 0, many - 1)
end

-- No second has more than one row.
local function last_row_until(rows, at_ms)
  for start = 0, 950, 50 do
    local members = redis.call('ZREVRANGE', rows, start, start + 49)
    for _, member in ipairs(members) do
      local row = parse_row(member)
      if row.atMs <= at_ms then return row end
    end
    if #members < 50 then return nil end
  end
end

local function clear_rows(rows)
  redis.call('DEL', rows)
end
