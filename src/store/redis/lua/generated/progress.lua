-- Generated from src/core/progress.ts by `npm run lua`. Not to be edited.
-- How fast the line moves and people enter: buckets of ten seconds, eighteen of them.

local function last_bucket()
  return {
    room.progress_bucket,
    room.progress_span_ms,
    room.progress_served,
    room.progress_entered,
    room.progress_ended_early
  }
end

local function clear_progress()
  set("progress", {})
  set("progress_bucket", 0)
  set("progress_span_ms", 0)
  set("progress_served", 0)
  set("progress_entered", 0)
  set("progress_ended_early", 0)
end

local function open_bucket()
  local bucket = math.floor(room.claim_ms / 10000)
  if bucket == room.progress_bucket then
    return
  end
  local recent = filter_list(
    room.progress,
    function(past) return past[1] > bucket - 18 end
  )
  if room.progress_bucket > bucket - 18 then
    recent[#recent + 1] = last_bucket()
  end
  clear_progress()
  set("progress", recent)
  set("progress_bucket", bucket)
end

--- Somebody waited for so long, and nothing held the line.
local function record_waiting(elapsed_ms)
  open_bucket()
  set("progress_span_ms", room.progress_span_ms + elapsed_ms)
end

local function record_served(places)
  open_bucket()
  set("progress_served", room.progress_served + places)
end

local function record_entered()
  open_bucket()
  set("progress_entered", room.progress_entered + 1)
end

local function record_ended_early(admissions)
  open_bucket()
  set("progress_ended_early", room.progress_ended_early + admissions)
end

--- What was noted in the last three minutes of the claim clock.
local function progress_of()
  local first = math.floor(room.claim_ms / 10000) - 18 + 1
  local buckets = filter_list(
    room.progress,
    function(past) return past[1] >= first end
  )
  if room.progress_bucket >= first then
    buckets[#buckets + 1] = last_bucket()
  end
  local span_ms = 0
  local served = 0
  local entered = 0
  local ended_early = 0
  for _, bucket in ipairs(buckets) do
    span_ms = span_ms + bucket[2]
    served = served + bucket[3]
    entered = entered + bucket[4]
    ended_early = ended_early + bucket[5]
  end
  return {spanMs = span_ms, served = served, entered = entered, endedEarly = ended_early}
end

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
