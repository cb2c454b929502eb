-- What every script on a room begins with: the state's fields, the clocks, the life check.
-- `key` and `arg` are made from the table in scripts.ts. The twin of memory/enter.ts and memory/clocks.ts.

local text_fields = {
  life = true, run_id = true, phase = true, phase_reason = true, inlet_type = true, gaps = true,
  join_seconds = true, outflow = true, batches = true, effective = true, file = true, live = true,
  pending_file = true,
}
local core_fields = {
  'life', 'run_id', 'life_started_ms', 'recovering_until_ms', 'at_ms', 'flow_ms', 'claim_ms', 'hold_until_ms',
  'edition', 'phase', 'phase_reason', 'version', 'queued', 'serving', 'expired_through', 'limit', 'inlet_type',
  'claim_within_ms', 'duration_ms', 'logins_per_admission',
}

local room = {}
local known = {}
local changed = {}

-- Numbers as text without loss: whole ones up to 2^53, fractions with 17 digits.
local function text_of(value)
  if type(value) ~= 'number' then return value end
  if value == math.floor(value) and math.abs(value) < 9007199254740992 then return string.format('%.0f', value) end
  return string.format('%.17g', value)
end

-- Reads fields of the state into `room`, each once; numbers become numbers, a missing limit is nil, a missing
-- text ''.
local function load(fields)
  local missing = {}
  for _, field in ipairs(fields) do
    if not known[field] then missing[#missing + 1] = field end
  end
  if #missing == 0 then return end
  local values = redis.call('HMGET', key.state, unpack(missing))
  for i, field in ipairs(missing) do
    known[field] = true
    if text_fields[field] then room[field] = values[i] or ''
    elseif values[i] and values[i] ~= '' then room[field] = tonumber(values[i])
    elseif field ~= 'limit' then room[field] = 0 end
  end
end

-- Changes a field; `save` writes all changes at once. A limit of nil means no limit.
local function set(field, value)
  known[field] = true
  room[field] = value
  changed[field] = value == nil and '' or text_of(value)
end

local function save()
  local pairs_of = {}
  for field, value in pairs(changed) do
    pairs_of[#pairs_of + 1] = field
    pairs_of[#pairs_of + 1] = value
  end
  if #pairs_of > 0 then redis.call('HSET', key.state, unpack(pairs_of)) end
  changed = {}
end

-- A short list of records of whole numbers, as one text: '1:2,3:4'.
local function decode_list(text)
  local list = {}
  for entry in string.gmatch(text or '', '[^,]+') do
    local record = {}
    for number in string.gmatch(entry, '[^:]+') do record[#record + 1] = tonumber(number) end
    list[#list + 1] = record
  end
  return list
end

local function encode_list(list)
  local entries = {}
  for i, record in ipairs(list) do
    local numbers = {}
    for j, number in ipairs(record) do numbers[j] = text_of(number) end
    entries[i] = table.concat(numbers, ':')
  end
  return table.concat(entries, ',')
end

-- Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held.
local function is_held()
  return room.limit ~= nil and room.flow_ms < room.hold_until_ms
end

-- Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
-- while the room is paused, recovering or held.
local function advance_clocks()
  local now_ms = server_now_ms()
  local elapsed = math.min(math.max(now_ms - room.at_ms, 0), 5000)
  if now_ms == room.at_ms then return end
  local was_held = is_held()
  set('at_ms', now_ms)
  set('flow_ms', room.flow_ms + elapsed)
  if room.phase ~= 'open' or room.recovering_until_ms > 0 then return end
  if was_held then elapsed = math.min(elapsed, math.max(0, room.flow_ms - room.hold_until_ms)) end
  set('claim_ms', room.claim_ms + elapsed)
end
