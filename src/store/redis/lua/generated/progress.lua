-- Generated from src/core/progress.ts by `npm run lua`. Not to be edited.
-- How the line has moved lately: how fast it moves and people enter (buckets of ten seconds, eighteen of them); and places that were served, with how many of
-- their visitors have come (batches): by that an inlet knows how many to serve.

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

--- The share of served places whose visitors claim, however late.
local function entering_share()
  return math.min(1, math.max(0.02, (room.pull_came + 5) / (room.pull_called + 5)))
end

local function weigh_entering(called)
  local standing = size_of(key.pending_claims)
  for _, batch in ipairs(room.batches) do
    standing = standing - batch[5]
  end
  local keep = 1 - math.min(1, called * entering_share()) / 180
  set("pull_called", room.pull_called * keep + called)
  local came = room.pull_came * keep + standing - room.pull_standing
  set("pull_came", math.min(room.pull_called, math.max(0, came)))
  set("pull_standing", standing)
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

--- Remembers that the places in (from, to] were served, by the inlet or by an operator, to see how many of them show up.
local function add_batch(from, to, by)
  local batches = room.batches
  local places = places_between(room.gaps, from, to)
  local is_long = by == "operator" or room.inlet_type == "max_active"
  local show_ms = is_long and 30000 or 5000
  local last = batches[#batches]
  local second = math.floor(room.flow_ms / 1000)
  if last ~= nil and last[3] == from and last[6] == show_ms and math.floor(last[1] / 1000) == second then
    last[3] = to
    last[4] = last[4] + places
  else
    batches[#batches + 1] = {room.flow_ms, from, to, places, 0, show_ms}
  end
  if #batches > 40 then
    table.remove(batches, 1)
  end
  set("batches", batches)
end

--- Counts a place as shown, once, when it claims within the show time, whether that is held or not.
local function record_show(position)
  local batches = room.batches
  local found = nil
  for _, batch in ipairs(batches) do
    if position > batch[2] and position <= batch[3] then
      found = batch
    end
  end
  if found == nil or room.flow_ms - found[1] > found[6] or is_claim_pending(position) then
    return
  end
  found[5] = found[5] + 1
  set("batches", batches)
end

--- No claim is pending any more, and none is expected.
local function clear_batches()
  set("batches", {})
  set("pull_standing", 0)
end

--- Lets batches older than their show time into the smoothed show rate and the entering share.
local function settle_batches()
  local left = {}
  local called = 0
  for _, batch in ipairs(room.batches) do
    if room.flow_ms - batch[1] < batch[6] then
      left[#left + 1] = batch
    else
      local keep = 1 - batch[4] / math.max(50, 10 * batch[4])
      set("pull_shown", room.pull_shown * keep + math.min(batch[5], batch[4]))
      set("pull_served", room.pull_served * keep + batch[4])
      called = called + batch[4]
    end
  end
  if #left < #room.batches then
    set("batches", left)
  end
  weigh_entering(called)
end

local function show_rate()
  return math.max(0.02, room.pull_shown / room.pull_served)
end

--- How many of the places served lately may still be expected to show up, where this share of them does.
local function expected_shows(rate)
  local shows = 0
  for _, batch in ipairs(room.batches) do
    local age_ms = room.flow_ms - batch[1]
    if age_ms < batch[6] then
      local share = age_ms <= 15000 and 1 or (batch[6] - age_ms) / (batch[6] - 15000)
      shows = shows + math.max(0, batch[4] * rate - batch[5]) * share
    end
  end
  return shows
end

--- Visitors whose claims are held, and those who may be expected to.
local function people_at_door()
  return size_of(key.pending_claims) + expected_shows(entering_share())
end

--- Places that may claim soon: an upper bound.
local function pending_places()
  local pending = size_of(key.pending_claims)
  for _, batch in ipairs(room.batches) do
    pending = pending + math.max(0, batch[4] - batch[5])
  end
  return pending
end
