-- What Redis has for the collections of core/ports. A collection is a key.

local function sort_by(list, is_before)
  table.sort(list, is_before)
end

-- Sorted sets.

local function set_score(zset, member, score)
  redis.call('ZADD', zset, text_of(score), text_of(member))
end

local function remove_member(zset, member)
  return redis.call('ZREM', zset, text_of(member)) == 1
end

local function remove_members(zset, members)
  if #members > 0 then redis.call('ZREM', zset, unpack(members)) end
end

local function count_below(zset, score)
  return redis.call('ZCOUNT', zset, '-inf', '(' .. text_of(score))
end

local function size_of(zset)
  return redis.call('ZCARD', zset)
end

local function score_of(zset, member)
  local score = redis.call('ZSCORE', zset, text_of(member))
  return score and tonumber(score) or nil
end

local function score_at(zset, index)
  local score = redis.call('ZRANGE', zset, index, index, 'WITHSCORES')[2]
  return score and tonumber(score) or nil
end

local function take_below(zset, score, limit)
  local members = redis.call('ZRANGEBYSCORE', zset, '-inf', '(' .. text_of(score), 'LIMIT', 0, limit)
  remove_members(zset, members)
  return members
end

local function members_between(zset, from, to, limit)
  return redis.call('ZRANGEBYSCORE', zset, text_of(from), text_of(to), 'LIMIT', 0, limit)
end

local function scores_between(zset, from, to, limit)
  local found = redis.call('ZRANGEBYSCORE', zset, text_of(from), text_of(to), 'WITHSCORES', 'LIMIT', 0, limit)
  local entries = {}
  for i = 1, #found, 2 do entries[#entries + 1] = { member = found[i], score = tonumber(found[i + 1]) } end
  return entries
end

local function add_member(zset, member, score)
  redis.call('ZADD', zset, 'NX', text_of(score), text_of(member))
end

local function remove_highest(zset)
  redis.call('ZPOPMAX', zset)
end

local function remove_lowest(zset)
  redis.call('ZPOPMIN', zset)
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

-- Records: a hash, id to JSON.

local function read_record(records, id)
  local json = redis.call('HGET', records, text_of(id))
  return json and cjson.decode(json) or nil
end

local function write_record(records, id, record)
  redis.call('HSET', records, text_of(id), cjson.encode(record))
end

local function count_records(records)
  return redis.call('HLEN', records)
end

-- The texts of those that there are.
local function record_texts(records, subs)
  local found = {}
  if #subs == 0 then return found end
  for _, json in ipairs(redis.call('HMGET', records, unpack(subs))) do
    if json then found[#found + 1] = json end
  end
  return found
end

local function forget_record(records, id)
  redis.call('HDEL', records, text_of(id))
end

-- The admission log: a stream, id 'seq-0', field 'r'.

local function append_log_text(stream, seq, text)
  redis.call('XADD', stream, text_of(seq) .. '-0', 'r', text)
end

local function count_log_rows(stream)
  return redis.call('XLEN', stream)
end

local function log_texts_behind(stream, after, limit)
  local rows = {}
  for i, entry in ipairs(redis.call('XRANGE', stream, text_of(after + 1) .. '-0', '+', 'COUNT', limit)) do
    rows[i] = { seq = tonumber(string.match(entry[1], '^%d+')), text = entry[2][2] }
  end
  return rows
end

local function log_texts_before(stream, before, limit)
  local rows = {}
  for i, entry in ipairs(redis.call('XREVRANGE', stream, text_of(before - 1) .. '-0', '-', 'COUNT', limit)) do
    rows[i] = { seq = tonumber(string.match(entry[1], '^%d+')), text = entry[2][2] }
  end
  return rows
end

local function drop_log_texts(stream, through)
  redis.call('XTRIM', stream, 'MINID', text_of(through + 1) .. '-0')
end

local function keep_last_texts(stream, most)
  redis.call('XTRIM', stream, 'MAXLEN', '~', most)
end

local function remove_text(stream, seq)
  return redis.call('XDEL', stream, text_of(seq) .. '-0') == 1
end

local function last_texts(stream, limit)
  local rows = {}
  local entries = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', limit)
  for i, entry in ipairs(entries) do
    rows[#entries + 1 - i] = { seq = tonumber(string.match(entry[1], '^%d+')), text = entry[2][2] }
  end
  return rows
end

-- Texts by name: a hash.

local function read_text(map, name)
  return redis.call('HGET', map, name) or nil
end

local function write_text(map, name, text)
  redis.call('HSET', map, name, text)
end

local function forget_text(map, name)
  redis.call('HDEL', map, name)
end

-- Answers to operators' requests: `answers` is the key of the one request, a hash that expires.

local function read_answer(answers)
  local step, json, expires_ms = unpack(redis.call('HMGET', answers, 'step', 'answer', 'expires_ms'))
  if not step then return nil end
  return { step = step, answer = cjson.decode(json), expiresMs = tonumber(expires_ms) }
end

local function write_answer(answers, _, kept, now_ms)
  redis.call('HSET', answers, 'step', kept.step, 'answer', cjson.encode(kept.answer), 'expires_ms', text_of(kept.expiresMs))
  redis.call('PEXPIRE', answers, text_of(kept.expiresMs - now_ms))
end

-- Texts.

local function client_of(login)
  return string.match(login, '^[^:]*:(.+)$')
end

local function incarnation_run(incarnation)
  return string.match(incarnation, '^[^.]*')
end

local function incarnation_number(incarnation)
  return tonumber(string.match(incarnation, '%.(%d+)$') or 0)
end

local function leading_number(text)
  return tonumber(string.match(text, '^%d+'))
end

local function after_colon(text)
  return string.match(text, ':(.*)$')
end

local function parts_of(text)
  local parts = {}
  for part in string.gmatch(text .. ':', '([^:]*):') do parts[#parts + 1] = part end
  return parts
end

local function number_of_text(text)
  return tonumber(text) or 0
end

local function event_id_of(seq, text)
  return tonumber(string.match(text, '^@(%d+):')) or seq
end

local function event_row_of(text)
  return string.match(text, '^@%d+:(.*)$') or text
end
