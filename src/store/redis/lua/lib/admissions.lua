-- Admissions. key.admissions: hash, sub to JSON; key.live and key.ended: sorted sets by time (now); key.changes:
-- sorted set by number of the last change; key.claimed_places: bitmap by position, of the edition. The twin of
-- memory/admissions.ts.

local keep_ended_ms = 15 * 60000

local function read_record(sub)
  local json = redis.call('HGET', key.admissions, sub)
  return json and cjson.decode(json) or nil
end

local function is_live(record)
  return record.ended == nil or record.ended == cjson.null
end

-- Puts the admission on record, in place of any earlier one of the same visitor; its place stays claimed. Answers its
-- JSON.
local function put_record(record)
  local sub = record.sub
  local json = cjson.encode(record)
  redis.call('HSET', key.admissions, sub, json)
  if record.edition == room.edition then redis.call('SETBIT', key.claimed_places, text_of(record.position), 1) end
  if is_live(record) then
    redis.call('ZADD', key.live, text_of(record.expiresMs), sub)
    redis.call('ZREM', key.ended, sub)
  else
    redis.call('ZREM', key.live, sub)
    redis.call('ZADD', key.ended, text_of(math.max(record.expiresMs, room.at_ms) + keep_ended_ms), sub)
  end
  set('change_count', room.change_count + 1)
  redis.call('ZADD', key.changes, text_of(room.change_count), sub)
  return json
end

-- The record of this visitor; a lapsed one has been ended.
local function current_record(sub)
  local record = read_record(sub)
  if record and is_live(record) and record.expiresMs <= room.at_ms then
    record.ended = 'expired'
    put_record(record)
  end
  return record
end

local function lapse_admissions(limit)
  for _, sub in ipairs(redis.call('ZRANGEBYSCORE', key.live, '-inf', text_of(room.at_ms), 'LIMIT', 0, limit)) do
    current_record(sub)
  end
end

local function window_left_ms(record)
  return record.claimMs + room.claim_within_ms - room.claim_ms
end

-- A recovery gives every place that had not expired a fresh window; only this record says that it was claimed.
local function is_still_needed(record)
  if record.edition ~= room.edition then return false end
  return record.position > room.expired_through or window_left_ms(record) >= 0
end

-- Forgets ended admissions whose place no recovery could open again, at most `limit`.
local function prune_ended(limit)
  for _, sub in ipairs(redis.call('ZRANGEBYSCORE', key.ended, '-inf', text_of(room.at_ms), 'LIMIT', 0, limit)) do
    local record = read_record(sub)
    if record and is_still_needed(record) then
      redis.call('ZADD', key.ended, text_of(room.at_ms + math.max(60000, window_left_ms(record))), sub)
    else
      redis.call('HDEL', key.admissions, sub)
      redis.call('ZREM', key.ended, sub)
      redis.call('ZREM', key.changes, sub)
    end
  end
end

-- Admissions changed after `since`: cursor, whether there are more ('1' or '0'), their JSON, oldest change first.
local function changed_since(since, limit)
  -- A number from the future is of another history: everything is news to that caller.
  if since > room.change_count then since = 0 end
  local found = redis.call('ZRANGEBYSCORE', key.changes, '(' .. text_of(since), '+inf', 'WITHSCORES',
    'LIMIT', 0, limit + 1)
  local count = math.min(#found / 2, limit)
  local more = #found / 2 > limit
  local subs = {}
  for i = 1, count do subs[i] = found[2 * i - 1] end
  local cursor = more and found[2 * count] or text_of(room.change_count)
  local records = count > 0 and redis.call('HMGET', key.admissions, unpack(subs)) or {}
  return cursor, more and '1' or '0', records
end
