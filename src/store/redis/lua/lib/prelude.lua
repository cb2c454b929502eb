-- What every script on a room begins with: the state's fields, read once and written together, in the forms in which the
-- rules have them. `key` and `arg` are made from the table in scripts.ts.

local text_fields = {
  life = true, run_id = true, base_phase = true, inlet_type = true, when_idle = true, when_ended = true,
  shared_id = true, log_group = true, draw_order = true, draw_beacon = true,
  effective = true, file = true, live = true, pending_file = true, load_decision = true, load_reason = true,
  log_sealed_hash = true, log_base_hash = true, log_noted = true, log_counts = true,
}
-- What a text is before it was written.
local text_defaults = { load_decision = 'hold', load_reason = 'no_data' }
-- Short lists of rows of numbers: '1:2,3:4'; see core/rows.ts.
local list_fields = {
  gaps = true, draw_marks = true, join_seconds = true, outflow = true, batches = true, progress = true, ghosts = true,
  remembered_lapses = true, load_probes = true, load_reports = true,
}
-- Numbers that may be missing, for no such bound or time; 0 would be one.
local optional_fields = {
  limit = true, shared_limit = true, shared_weight = true, max_active = true, max_waiting = true, starts_at_ms = true,
  ends_at_ms = true, prequeue_at_ms = true, opens_at_ms = true, closes_at_ms = true, max_duration_ms = true,
  addresses_per_admission = true,
  unhealthy_after = true, healthy_after = true, target_ms = true, target_times = true, load_latency_ms = true,
  load_error_rate = true, load_baseline_ms = true, log_rows_max = true,
}

-- The state. A field that was not loaded is read, and a list is taken out of its text, when it is first used.
local room = {}
local known = {}
local texts = {}
local changed = {}
-- What else is to be written with the state.
local savers = {}

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

-- Lists and records by the text in which the state has them.
local function decode_field(field, text)
  if text == '' then return {} end
  if field == 'holds' then return decode_words(text) end
  if field == 'draws' then return cjson.decode(text) end
  return decode_list(text)
end

local function encode_field(field, value)
  if list_fields[field] then return encode_list(value) end
  if field == 'holds' then return table.concat(value, ',') end
  if field == 'draws' then return #value > 0 and cjson.encode(value) or '' end
  return value == nil and '' or text_of(value)
end

local function is_list(field)
  return list_fields[field] or field == 'holds' or field == 'draws'
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
    known[field] = true
    if is_list(field) then texts[field] = values[i] or ''
    elseif text_fields[field] then room[field] = values[i] or text_defaults[field] or ''
    else
      local value = values[i] and tonumber(values[i])
      if not value and not optional_fields[field] then value = 0 end
      room[field] = value or nil
    end
  end
end

setmetatable(room, {
  __index = function(_, field)
    if not known[field] then load({ field }) end
    local text = texts[field]
    if not text then return rawget(room, field) end
    local list = decode_field(field, text)
    texts[field] = nil
    room[field] = list
    return list
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
