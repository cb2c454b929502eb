-- Blocks of addresses of entries: a string, 16 characters for each number. Binding of core/ports/lists.ts.

local block_length = 8
local max_rows = 30000000

local function write_rows(blocks, index, text, count)
  redis.call('SETRANGE', blocks, text_of(16 * index), string.sub(text, 1, 16 * count))
end

local function read_rows(blocks, from, to)
  if to < from then return '' end
  return redis.call('GETRANGE', blocks, text_of(16 * from), text_of(16 * to + 15))
end

local function rows_with(text, wanted)
  local hashes = {}
  for _, hash in ipairs(wanted) do hashes[hash] = true end
  local found = {}
  for at = 1, #text - 15, 16 do
    if hashes[string.sub(text, at, at + 7)] or hashes[string.sub(text, at + 8, at + 15)] then
      found[#found + 1] = (at - 1) / 16
    end
  end
  return found
end
