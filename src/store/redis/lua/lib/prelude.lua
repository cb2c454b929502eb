-- What every script on a room begins with: the state's fields, read once and written together, in the forms in which the
-- rules have them. `key` and `arg` hold what the script names; see script-texts.ts.

-- The state is a hash. What is short, numbers above all, is packed into three of its fields: `rules`, the settings in force and
-- figures that change seldom (generated/fields.lua names them in `seldom`), and `values`, the others, with the names of the fields that
-- there are; and the clocks, which change at every call, into `clocks`. What is 0, '' or false is left out. Lists and long texts are
-- fields of their own, which are read when they are first used.
-- `kinds` (generated/fields.lua) says what a field is where it is no number that is 0 when it is missing: a text; a flag; `optional`, a
-- number that may be missing, for no such bound or time; and of a field of its own, a `document`, a long text; `rows`, a short list of
-- rows of numbers (see core/rows.ts); `words`, of texts; `records`, as JSON.

local clocks = { at_ms = true, flow_ms = true, claim_ms = true }
local own_kinds = { document = true, rows = true, words = true, records = true }

-- Fields of their own that were changed; and whether others were, by what they are packed into.
local changed = {}
local has_changed = {}
-- What else is to be written with the state.
local savers = {}
-- The shared outflow that the room takes part in; nil for none. `own` is this room's share.
local group = nil

-- Numbers as text without loss: whole ones up to 2^53, fractions with 17 digits.
local function text_of(value)
  if type(value) ~= 'number' then return value end
  if value % 1 == 0 and value < 9007199254740992 and value > -9007199254740992 then return string.format('%.0f', value) end
  return string.format('%.17g', value)
end

-- Methods of lists.

local function filter_list(list, test)
  local kept = {}
  for _, member in ipairs(list) do
    if test(member) then kept[#kept + 1] = member end
  end
  return kept
end

local function map_list(list, made_of)
  local made = {}
  for i, member in ipairs(list) do made[i] = made_of(member) end
  return made
end

local function find_in_list(list, test)
  for _, member in ipairs(list) do
    if test(member) then return member end
  end
end

local function is_any(list, test)
  return find_in_list(list, test) ~= nil
end

local function is_in_list(list, wanted)
  for _, member in ipairs(list) do
    if member == wanted then return true end
  end
  return false
end

-- Of a field of its own; '' for an empty one.
local function encode_field(kind, value)
  if kind == 'document' then return value end
  if next(value) == nil then return '' end
  return kind == 'records' and cjson.encode(value) or cmsgpack.pack(value)
end

local function decode_field(kind, text)
  if kind == 'document' then return text end
  if text == '' then return {} end
  return kind == 'records' and cjson.decode(text) or cmsgpack.unpack(text)
end

-- As `encode_field` answers it.
local function read_field(field)
  return room.fields[field] and redis.call('HGET', key.state, field) or ''
end

-- What is not packed: fields of their own, once they were used, and what a missing value stands for.
local apart = setmetatable({}, {
  __index = function(read, field)
    local kind = kinds[field]
    local value = 0
    if kind == 'optional' then value = nil
    elseif kind == 'text' then value = ''
    elseif kind == 'flag' then value = false
    elseif kind then value = decode_field(kind, read_field(field)) end
    read[field] = value
    return value
  end,
})

local packed = redis.call('HMGET', key.state, 'values', 'rules', 'clocks')
local rules = setmetatable(packed[2] and cmsgpack.unpack(packed[2]) or {}, { __index = apart })
local room = (function()
  local state = packed[1] and cmsgpack.unpack(packed[1]) or { fields = {} }
  if packed[3] then state.at_ms, state.flow_ms, state.claim_ms = struct.unpack('ddd', packed[3]) end
  return setmetatable(state, { __index = rules })
end)()

-- Changes a field; `save` writes all changes at once. Nil for a number that may be missing.
local function set(field, value)
  local kind = kinds[field]
  if own_kinds[kind] then
    apart[field] = value
    changed[field] = true
    return
  end
  if (value == 0 and kind ~= 'optional') or value == '' then value = nil end
  if seldom[field] then
    rules[field] = value or nil
    has_changed.rules = true
  else
    room[field] = value or nil
    has_changed[clocks[field] and 'clocks' or 'values'] = true
  end
end

-- Changes a field of the room, or of another state that keeps all of its fields at hand.
local function put(state, field, value)
  if state == room then set(field, value) else state[field] = value end
end

-- Forgets the state, and the logs with it.
local function clear_state()
  redis.call('DEL', key.state, key.log, key.admission_log, key.events)
  for _, fields in ipairs({ room, rules, apart }) do
    for field in pairs(fields) do fields[field] = nil end
  end
  room.fields = {}
  changed, has_changed = {}, { rules = true, values = true, clocks = true }
end

local function save()
  local written, dropped = {}, {}
  for field in pairs(changed) do
    local text = encode_field(kinds[field], apart[field])
    local is_there = text ~= '' or nil
    if is_there then
      written[#written + 1] = field
      written[#written + 1] = text
    elseif room.fields[field] then dropped[#dropped + 1] = field end
    if room.fields[field] ~= is_there then
      room.fields[field] = is_there
      has_changed.values = true
    end
  end
  for field in pairs(has_changed) do
    written[#written + 1] = field
    if field == 'clocks' then
      written[#written + 1] = struct.pack('ddd', room.at_ms, room.flow_ms, room.claim_ms)
    else written[#written + 1] = cmsgpack.pack(field == 'rules' and rules or room) end
  end
  if #written > 0 then redis.call('HSET', key.state, unpack(written)) end
  if #dropped > 0 then redis.call('HDEL', key.state, unpack(dropped)) end
  changed, has_changed = {}, {}
  for _, saver in ipairs(savers) do saver() end
end

-- Records as JSON.
local function list_text(field)
  local value = rawget(apart, field)
  return value and encode_field(kinds[field], value) or read_field(field)
end
