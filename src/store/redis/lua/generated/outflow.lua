-- Generated from src/core/outflow.ts by `npm run lua`. Not to be edited.
-- The measured outflow: admissions per 10 s of the flow clock, eighteen of them.

local function count_outflow()
  local bucket = math.floor(room.flow_ms / 10000)
  local buckets = room.outflow
  local last = buckets[#buckets]
  if last ~= nil and last[1] == bucket then
    last[2] = last[2] + 1
  else
    buckets[#buckets + 1] = {bucket, 1}
  end
  while #buckets > 18 do
    table.remove(buckets, 1)
  end
  set("outflow", buckets)
end

--- Admissions per minute over the last three minutes of the flow clock, or since the room is that old.
local function measured_outflow()
  local first = math.floor(room.flow_ms / 10000) - 18 + 1
  local admitted = 0
  for _, entry in ipairs(room.outflow) do
    if entry[1] >= first then
      admitted = admitted + entry[2]
    end
  end
  local span_ms = math.min(room.flow_ms - room.born_ms, room.flow_ms - first * 10000)
  return admitted * 60000 / math.max(span_ms, 10000)
end
