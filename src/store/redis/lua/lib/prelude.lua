-- What every script on a room begins with: the state's fields, read once and written together, in the forms in which the
-- rules have them. `key` and `arg` hold what the script names; see script-texts.ts.

-- Fields of the state by their kind, `kinds` (generated/fields.lua), where they are no numbers that are 0 when they are missing:
-- a text; a flag; a number that may be missing, for no such bound or time; a short list of rows of numbers, '1:2,3:4' (see
-- core/rows.ts), or of words; records as JSON.

-- Fields that were read, those of them that are still texts, and those that were changed.
local known = {}
local texts = {}
local changed = {}
-- What else is to be written with the state.
local savers = {}
-- The shared outflow that the room takes part in; nil for none. `own` is this room's share.
local group = nil

-- Numbers as text without loss: whole ones up to 2^53, fractions with 17 digits.
local function text_of(value)
  if type(value) ~= 'number' then return value end
  if value == math.floor(value) and math.abs(value) < 9007199254740992 then return string.format('%.0f', value) end
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

local function decode_list(text)
  local list = {}
  for entry in string.gmatch(text, '[^,]+') do
    local row = {}
    for number in string.gmatch(entry, '[^:]+') do row[#row + 1] = tonumber(number) end
    list[#list + 1] = row
  end
  return list
end

local function encode_list(list)
  local entries = {}
  for i, row in ipairs(list) do
    local numbers = {}
    for j, number in ipairs(row) do numbers[j] = text_of(number) end
    entries[i] = table.concat(numbers, ':')
  end
  return table.concat(entries, ',')
end

local function decode_words(text)
  local words = {}
  for word in string.gmatch(text, '[^,]+') do words[#words + 1] = word end
  return words
end

-- A list by the text in which the state has it.
local function decode_field(kind, text)
  if text == '' then return {} end
  if kind == 'rows' then return decode_list(text) end
  return kind == 'words' and decode_words(text) or cjson.decode(text)
end

local function encode_field(field, value)
  local kind = kinds[field]
  if kind == 'rows' then return encode_list(value) end
  if kind == 'words' then return table.concat(value, ',') end
  if kind == 'flag' then return value and '1' or '0' end
  if kind == 'records' then return #value > 0 and cjson.encode(value) or '' end
  return value == nil and '' or text_of(value)
end

-- Reads fields of the state into `room` at once, each once; numbers become numbers, a missing text ''; a missing number
-- is 0, or nil where it may be missing.
local load

-- The state. A field that was not loaded is read, and a list is taken out of its text, when it is first used.
local room = setmetatable({}, {
  __index = function(state, field)
    if not known[field] then load({ field }) end
    local text = texts[field]
    if text then
      texts[field] = nil
      rawset(state, field, decode_field(kinds[field], text))
    end
    return rawget(state, field)
  end,
})
load = function(fields)
  local missing = fields
  if next(known) then
    missing = {}
    for _, field in ipairs(fields) do
      if not known[field] then missing[#missing + 1] = field end
    end
    if #missing == 0 then return end
  end
  local values = redis.call('HMGET', key.state, unpack(missing))
  for i, field in ipairs(missing) do
    local value, kind = values[i], kinds[field]
    known[field] = true
    if kind == nil then room[field] = tonumber(value or 0) or 0
    elseif kind == 'optional' then room[field] = value and tonumber(value) or nil
    elseif kind == 'text' then room[field] = value or ''
    elseif kind == 'flag' then room[field] = value == '1'
    else texts[field] = value or '' end
  end
end

-- Changes a field; `save` writes all changes at once. Nil for a number that may be missing.
local function set(field, value)
  known[field] = true
  texts[field] = nil
  room[field] = value
  changed[field] = true
end

-- Changes a field of the room, or of another state that keeps all of its fields at hand.
local function put(state, field, value)
  if state == room then set(field, value) else state[field] = value end
end

-- Forgets the state, and the logs with it.
local function clear_state()
  redis.call('DEL', key.state, key.log, key.admission_log, key.events)
  for field in pairs(known) do
    known[field], texts[field], changed[field] = nil, nil, nil
    rawset(room, field, nil)
  end
end

local function save()
  local pairs_of = {}
  for field in pairs(changed) do
    pairs_of[#pairs_of + 1] = field
    pairs_of[#pairs_of + 1] = encode_field(field, room[field])
  end
  if #pairs_of > 0 then redis.call('HSET', key.state, unpack(pairs_of)) end
  changed = {}
  for _, saver in ipairs(savers) do saver() end
end

-- A list as the state has it.
local function list_text(field)
  return texts[field] or encode_field(field, room[field])
end
