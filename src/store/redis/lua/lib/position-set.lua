-- Sets of positions: bitmaps, whose bits Redis numbers from the highest of a byte. Binding of core/ports/sets.ts.

local function has_position(places, position)
  return redis.call('GETBIT', places, text_of(position)) == 1
end

local function add_position(places, position)
  redis.call('SETBIT', places, text_of(position), 1)
end

-- How many bits of the byte at `index` are of positions from `first` to `last`, and are set.
local function count_in_byte(places, index, first, last)
  local at = text_of(index)
  local byte = string.byte(redis.call('GETRANGE', places, at, at)) or 0
  local found = 0
  for bit = 7, 0, -1 do
    local position = 8 * index + bit
    if byte % 2 == 1 and position >= first and position <= last then found = found + 1 end
    byte = math.floor(byte / 2)
  end
  return found
end

-- How many of the positions from `first` to `last`, both inclusive, are in the set.
local function count_positions(places, first, last)
  if last < first then return 0 end
  local low, high = math.floor(first / 8), math.floor(last / 8)
  local found = count_in_byte(places, low, first, last)
  if high == low then return found end
  found = found + count_in_byte(places, high, first, last)
  if high - low < 2 then return found end
  return found + redis.call('BITCOUNT', places, text_of(low + 1), text_of(high - 1))
end
