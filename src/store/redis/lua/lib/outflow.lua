-- The measured outflow: admissions per 10 s of the flow clock, eighteen of them. The twin of memory/outflow.ts.

local function count_outflow()
  local bucket = math.floor(room.flow_ms / 10000)
  local counts = decode_list(room.outflow)
  local last = counts[#counts]
  if last and last[1] == bucket then last[2] = last[2] + 1
  else counts[#counts + 1] = { bucket, 1 } end
  while counts[1][1] <= bucket - 18 do table.remove(counts, 1) end
  set('outflow', encode_list(counts))
end

-- Admissions per minute over the last three minutes of the flow clock, or since the room is that old.
local function measured_outflow()
  local first = math.floor(room.flow_ms / 10000) - 17
  local admitted = 0
  for _, entry in ipairs(decode_list(room.outflow)) do
    if entry[1] >= first then admitted = admitted + entry[2] end
  end
  local span_ms = math.min(room.flow_ms - room.born_ms, room.flow_ms - first * 10000)
  return admitted * 60000 / math.max(span_ms, 10000)
end
