-- Places that were served together and how many of them showed up: { at, from, to, places, shown } (flow clock).
-- The twin of the first half of memory/pull.ts.

-- Remembers that the places in (from, to] were served together. At most 16 batches.
local function add_batch(gaps, from, to)
  load({ 'batches' })
  local batches = decode_list(room.batches)
  batches[#batches + 1] = { room.flow_ms, from, to, places_between(gaps, from, to), 0 }
  if #batches > 16 then table.remove(batches, 1) end
  set('batches', encode_list(batches))
end
