-- How fast the line moves: { bucket, span_ms, served, entered, ended_early } per 10 s of the claim clock, eighteen of
-- them. The last one has fields of its own, `progress_bucket` and so on, the list the ones before it. The twin of
-- memory/progress.ts.

local function last_bucket()
  return {
    room.progress_bucket, room.progress_span_ms, room.progress_served, room.progress_entered, room.progress_ended_early,
  }
end

local function open_bucket()
  local bucket = math.floor(room.claim_ms / 10000)
  if bucket == room.progress_bucket then return end
  local kept = {}
  for _, entry in ipairs(decode_list(room.progress)) do
    if entry[1] > bucket - 18 then kept[#kept + 1] = entry end
  end
  if room.progress_bucket > bucket - 18 then
    kept[#kept + 1] = last_bucket()
  end
  set('progress', encode_list(kept))
  set('progress_bucket', bucket)
  set('progress_span_ms', 0)
  set('progress_served', 0)
  set('progress_entered', 0)
  set('progress_ended_early', 0)
end

-- Somebody waited for so long, and nothing held the line.
local function note_waiting(elapsed_ms)
  open_bucket()
  set('progress_span_ms', room.progress_span_ms + elapsed_ms)
end

local function note_served(places)
  open_bucket()
  set('progress_served', room.progress_served + places)
end

local function note_entered()
  open_bucket()
  set('progress_entered', room.progress_entered + 1)
end

local function note_ended_early(admissions)
  open_bucket()
  set('progress_ended_early', room.progress_ended_early + admissions)
end

local function clear_progress()
  set('progress', '')
  set('progress_bucket', 0)
  set('progress_span_ms', 0)
  set('progress_served', 0)
  set('progress_entered', 0)
  set('progress_ended_early', 0)
end

-- What was noted in the last three minutes of the claim clock: span (ms), places served, places admitted, admissions
-- that ended early.
local function progress_of()
  local first = math.floor(room.claim_ms / 10000) - 17
  local entries = decode_list(room.progress)
  entries[#entries + 1] = last_bucket()
  local span_ms, served, entered, ended_early = 0, 0, 0, 0
  for _, entry in ipairs(entries) do
    if entry[1] >= first then
      span_ms, served, entered = span_ms + entry[2], served + entry[3], entered + entry[4]
      ended_early = ended_early + entry[5]
    end
  end
  return span_ms, served, entered, ended_early
end
