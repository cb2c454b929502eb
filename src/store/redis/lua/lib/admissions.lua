-- Lists of admissions as their JSON, by order of last change.

-- Those changed after `since` that are wanted: cursor, whether there are more ('1' or '0'), their JSON, oldest change first. No
-- more than `looks_max` are looked at.
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
