-- Bindings of core/ports/statistics-ring.ts: hashes of chunks. A chunk is its number, four bytes, and rows of 118 bytes: the slot's index in
-- it, flags, quiet (two bytes), 26 counts of three bytes, signed, eight gauges of four bytes, and three of one, two and one; all big-endian.

local head_bytes = 4
local row_bytes = 118
local count_places = 26
local gauge_places = 11
local row_format = '>I1I1I2' .. string.rep('i3', count_places) .. string.rep('I4', 8) .. 'I1I2I1'

-- The chunk that a slot is in, its place in the ring, and where in it the row of the slot begins; nil where there is none.
local function find_slot(ring, size, slot)
  local number = math.floor(slot / 60)
  local place = text_of(number % size)
  local chunk = redis.call('HGET', ring, place)
  local head = struct.pack('>I4', number)
  if not chunk or string.sub(chunk, 1, head_bytes) ~= head then return head, place, nil end
  local index = string.char(slot % 60)
  for at = head_bytes + 1, #chunk, row_bytes do
    if string.sub(chunk, at, at) == index then return chunk, place, at end
  end
  return chunk, place, nil
end

local function read_slot(ring, size, slot)
  local chunk, _, at = find_slot(ring, size, slot)
  if not at then return nil end
  local values = { struct.unpack(row_format, chunk, at) }
  local row = { flags = values[2], quiet = values[3], counted = {}, gauges = {} }
  for i = 1, count_places do row.counted[i] = values[3 + i] end
  for i = 1, gauge_places do row.gauges[i] = values[3 + count_places + i] end
  return row
end

local function write_slot(ring, size, slot, row)
  local chunk, place, at = find_slot(ring, size, slot)
  local values = { slot % 60, row.flags, row.quiet }
  for i = 1, count_places do values[3 + i] = row.counted[i] end
  for i = 1, gauge_places do values[3 + count_places + i] = row.gauges[i] end
  local text = struct.pack(row_format, unpack(values))
  if at then chunk = string.sub(chunk, 1, at - 1) .. text .. string.sub(chunk, at + row_bytes)
  else chunk = chunk .. text end
  redis.call('HSET', ring, place, chunk)
end

-- Bindings of core/ports/sets.ts: a HyperLogLog.

local function add_numbers(hyperloglog, numbers)
  local members = {}
  for i, number in ipairs(numbers) do members[i] = text_of(number) end
  for first = 1, #members, 1000 do
    redis.call('PFADD', hyperloglog, unpack(members, first, math.min(first + 999, #members)))
  end
end

local function count_numbers(hyperloglog)
  return redis.call('PFCOUNT', hyperloglog)
end

local function clear_numbers(hyperloglog)
  redis.call('DEL', hyperloglog)
end
