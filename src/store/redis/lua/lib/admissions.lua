-- Admissions. key.admissions: hash, sub to JSON; sorted sets: key.live of live ones by end (flow clock); key.ended of
-- ended ones by when they may be forgotten (now); key.idle of live ones `via` idle by beginning (now); key.changes: sorted
-- set by number of the last change; key.claimed_places: positions of the edition. The twin of memory/admissions.ts.

local keep_ended_ms = 15 * 60000
local addresses_max = 100
local count_of = {
  expired = 'expired', logout = 'logged_out', completed = 'completed', abandoned = 'abandoned', revoked = 'revoked',
}

local function read_record(sub)
  local json = redis.call('HGET', key.admissions, sub)
  return json and cjson.decode(json) or nil
end

local function is_live(record)
  return record.ended == nil or record.ended == cjson.null
end

-- Whether a record that nobody has ended is over all the same.
local function has_lapsed(record)
  return record.expiresFlowMs <= room.flow_ms or (record.via == 'idle' and record.admittedMs <= room.idle_ended_ms)
end

-- When the admission ends by the wall clock: what was told, as long as the clocks agree within a second. That of an
-- ended one is told no more anew.
local function told_expires_ms(record)
  local wall_ms = to_wall(record.expiresFlowMs)
  if not is_live(record) or math.abs(wall_ms - record.expiresMs) <= 1000 then return record.expiresMs end
  return wall_ms
end

local function note_change(sub)
  set('change_count', room.change_count + 1)
  redis.call('ZADD', key.changes, text_of(room.change_count), sub)
end

-- Writes a record whose times and end are as they were. Answers its JSON.
local function rewrite_record(record)
  local json = cjson.encode(record)
  redis.call('HSET', key.admissions, record.sub, json)
  note_change(record.sub)
  return json
end

-- See `Admission.usedPosition`. `earlier`: what is on record of the same visitor.
local function used_after(earlier, edition, place)
  if not earlier or earlier.edition ~= edition then return place end
  return math.max(place, earlier.usedPosition)
end

-- The places that a visitor has claimed stay so for the rest of their edition. The last one may be lower than another: it
-- was moved to them.
local function mark_claimed(record)
  if record.edition ~= room.edition then return end
  local used, place = record.usedPosition, record.position
  if used > 0 then add_position(key.claimed_places, used) end
  if place > 0 and place ~= used then add_position(key.claimed_places, place) end
end

-- Puts the admission on record, in place of any earlier one of the same visitor; its place stays claimed. Answers its
-- JSON. `earlier`: a live record of another admission that it replaces, if there is one.
local function put_record(record, earlier)
  local sub = record.sub
  mark_claimed(record)
  if record.via == 'idle' or (earlier and earlier.via == 'idle') then redis.call('ZREM', key.idle, sub) end
  if is_live(record) then
    redis.call('ZADD', key.live, text_of(record.expiresFlowMs), sub)
    redis.call('ZREM', key.ended, sub)
    if record.via == 'idle' then redis.call('ZADD', key.idle, text_of(record.admittedMs), sub) end
  else
    redis.call('ZREM', key.live, sub)
    redis.call('ZADD', key.ended, text_of(math.max(record.expiresMs, room.at_ms) + keep_ended_ms), sub)
    line_up_ended(record)
  end
  return rewrite_record(record)
end

-- Whose admission ends is taken to be one of those who had exited: nobody is taken off twice.
local function use_up_exit()
  if room.exited > 0 then set('exited', room.exited - 1) end
end

-- Puts an admission on record that others remember or prove. One from before this life that was not among the live ones
-- may have been counted as a ghost since, so it takes the place of one. `earlier`: what is on record of the same visitor.
local function recall_record(record, earlier)
  local is_from_before = record.admittedMs < room.life_started_ms
  if earlier and is_live(earlier) then use_up_exit()
  elseif is_from_before and is_live(record) and not has_lapsed(record) then lay_ghosts(1) end
  put_record(record, earlier)
end

-- Ends the admission and answers its JSON.
local function end_record(record, why)
  record.expiresMs = told_expires_ms(record)
  record.ended = why
  count(count_of[why], 1)
  -- Who had exited has been counted.
  if why ~= 'expired' and room.exited == 0 and is_line_moving() then note_ended_early(1) end
  use_up_exit()
  local json = put_record(record)
  if room.exited > 0 then set('exited', math.min(room.exited, redis.call('ZCARD', key.live))) end
  return json
end

-- Where admissions are sliding, a login or refresh moves the end of this one. Answers its JSON if it did.
local function extend_record(record)
  if room.max_duration_ms == nil then return nil end
  local expires_ms = math.min(room.flow_ms + room.duration_ms, record.admittedFlowMs + room.max_duration_ms)
  if record.via == 'idle' then expires_ms = math.min(expires_ms, to_flow(idle_ends_ms() or math.huge)) end
  if expires_ms <= record.expiresFlowMs then return nil end
  record.expiresFlowMs = expires_ms
  record.expiresMs = to_wall(expires_ms)
  return put_record(record)
end

local function has_value(list, value)
  for _, each in ipairs(list or {}) do
    if each == value then return true end
  end
  return false
end

-- Records from where an admission is used, unless it was used from as many addresses as may be. Answers 'known', 'new' or
-- 'refused'. `address`: '' where it is not known.
local function note_address(record, address)
  if address == '' or has_value(record.addresses, address) then return 'known' end
  local count = #(record.addresses or {})
  if room.addresses_per_admission and count >= room.addresses_per_admission then return 'refused' end
  if count >= addresses_max then return 'known' end
  record.addresses = record.addresses or {}
  record.addresses[count + 1] = address
  return 'new'
end

-- The record of this visitor; a lapsed one has been ended.
local function current_record(sub)
  local record = read_record(sub)
  if record and is_live(record) and has_lapsed(record) then end_record(record, 'expired') end
  return record
end

local function lapse_admissions(limit)
  for _, sub in ipairs(redis.call('ZRANGEBYSCORE', key.live, '-inf', text_of(room.flow_ms), 'LIMIT', 0, limit)) do
    current_record(sub)
  end
  if room.idle_ended_ms == 0 then return end
  local through = text_of(room.idle_ended_ms)
  for _, sub in ipairs(redis.call('ZRANGEBYSCORE', key.idle, '-inf', through, 'LIMIT', 0, limit)) do
    current_record(sub)
  end
end

local function window_left_ms(record)
  return record.claimMs + room.claim_within_ms - room.claim_ms
end

-- A recovery gives every place that had not expired a fresh window; only this record says that it was claimed. So no
-- more are kept than places were handed out.
local function is_still_needed(record)
  if record.edition ~= room.edition or record.usedPosition == 0 then return false end
  return record.usedPosition > room.expired_through or window_left_ms(record) >= 0
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

-- Admissions changed after `since` that are wanted: cursor, whether there are more ('1' or '0'), their JSON, oldest change
-- first. No more than `looks_max` are looked at.
local function wanted_since(since, limit, looks_max, is_wanted)
  -- A number from the future is of another history: everything is news to that caller.
  if since > room.change_count then since = 0 end
  local found = redis.call('ZRANGEBYSCORE', key.changes, '(' .. text_of(since), '+inf', 'WITHSCORES',
    'LIMIT', 0, looks_max + 1)
  local subs = {}
  for i = 1, math.min(#found / 2, looks_max) do subs[i] = found[2 * i - 1] end
  local records = #subs > 0 and redis.call('HMGET', key.admissions, unpack(subs)) or {}
  local wanted, looks = {}, 0
  while looks < #subs and #wanted < limit do
    looks = looks + 1
    local json = records[looks]
    if json and is_wanted(json) then wanted[#wanted + 1] = json end
  end
  local more = looks < #found / 2
  return more and found[2 * looks] or text_of(room.change_count), more and '1' or '0', wanted
end

local function any() return true end

local function changed_since(since, limit)
  return wanted_since(since, limit, limit, any)
end
