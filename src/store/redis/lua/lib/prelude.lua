-- What every script on a room begins with: the state's fields, read once and written together, in the forms in which the
-- rules have them. `key` and `arg` are made from the table in scripts.ts.

-- What a field is where it is no number that is 0 when it is missing: a text; a number that may be missing, for no such bound or
-- time; a short list of rows of numbers, '1:2,3:4' (see core/rows.ts), or of words; records as JSON.
local kinds = {
  incarnation = 'text', run_id = 'text', base_phase = 'text', inlet_type = 'text', when_idle = 'text', when_ended = 'text',
  shared_id = 'text', log_group = 'text', draw_order = 'text', draw_beacon = 'text', effective = 'text', file = 'text',
  live_changes = 'text', pending_file = 'text', load_decision = 'text', load_reason = 'text', log_sealed_hash = 'text',
  log_base_hash = 'text', log_noted = 'text', log_counts = 'text',
  limit = 'optional', shared_limit = 'optional', shared_weight = 'optional', max_active = 'optional',
  max_waiting = 'optional', starts_at_ms = 'optional', ends_at_ms = 'optional', prequeue_at_ms = 'optional',
  opens_at_ms = 'optional', closes_at_ms = 'optional', max_duration_ms = 'optional', addresses_per_admission = 'optional',
  unhealthy_after = 'optional', healthy_after = 'optional', target_ms = 'optional', target_times = 'optional',
  load_latency_ms = 'optional', load_error_rate = 'optional', load_baseline_ms = 'optional', log_rows_max = 'optional',
  gaps = 'rows', draw_marks = 'rows', join_seconds = 'rows', outflow = 'rows', batches = 'rows', progress = 'rows',
  unaccounted = 'rows', remembered_lapses = 'rows', load_probes = 'rows', load_reports = 'rows',
  holds = 'words', draws = 'records',
}
-- What a text is before it was written.
local text_defaults = { load_decision = 'hold', load_reason = 'no_data' }

-- The state. A field that was not loaded is read, and a list is taken out of its text, when it is first used.
local room = {}
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
  if kind == 'records' then return #value > 0 and cjson.encode(value) or '' end
  return value == nil and '' or text_of(value)
end

-- Reads fields of the state into `room` at once, each once; numbers become numbers, a missing text ''; a missing number
-- is 0, or nil where it may be missing.
local function load(fields)
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
    elseif kind == 'text' then room[field] = value or text_defaults[field] or ''
    else texts[field] = value or '' end
  end
end

setmetatable(room, {
  __index = function(_, field)
    local text = texts[field]
    if text then
      texts[field] = nil
      local list = decode_field(kinds[field], text)
      room[field] = list
      return list
    end
    if known[field] then return nil end
    load({ field })
    return room[field]
  end,
})

-- JSON has a null.
local function number_or_nil(value)
  if value == cjson.null then return nil end
  return value
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

-- Adds to one of the room's counts.
local function count(name, by)
  local field = 'count_' .. name
  set(field, room[field] + by)
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
