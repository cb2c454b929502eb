-- Merging by maximum what a process remembers. `memory` is its JSON, with gaps and lapses as lists of objects.
-- The twin of memory/merge.ts.

-- A ticket that was presented is offered as a memory of version 0: it knows a position and no more.
local function is_ticket(memory)
  return memory.version == 0
end

-- Count names as memories have them, and as the state has them.
local count_fields = {
  joined = 'count_joined', entered = 'count_entered', passed = 'count_passed', bypassed = 'count_bypassed',
  completed = 'count_completed', abandoned = 'count_abandoned', loggedOut = 'count_logged_out',
  revoked = 'count_revoked', expired = 'count_expired', noShows = 'count_no_shows', left = 'count_left',
}

local function gap_lists(gaps)
  local lists = {}
  for i, gap in ipairs(gaps) do lists[i] = { gap.from, gap.to } end
  return lists
end

local function merge_counts(counts)
  for name, field in pairs(count_fields) do
    set(field, math.max(room[field], counts[name]))
  end
end

-- A ticket proves that its number was handed out, and so were those of the same gap before it: numbers are handed out in a row.
-- In a draw to come that begins with its first number; what is a gap behind a fixed draw stays one.
local function take_number_in(number)
  if is_fixed_entry(number) then return end
  local first = first_coming()
  local before = first > 0 and number >= first and first - 1 or 0
  local gaps = {}
  for _, gap in ipairs(room.gaps) do
    if number < gap[1] or number > gap[2] then gaps[#gaps + 1] = gap
    else
      gaps[#gaps + 1] = { gap[1], before }
      gaps[#gaps + 1] = { number + 1, gap[2] }
    end
  end
  set('gaps', normalize_gaps(gaps))
end

local function merge_counters(memory)
  set('claim_ms', math.max(room.claim_ms, memory.claimMs))
  set('idle_ended_ms', math.max(room.idle_ended_ms, memory.idleEndedMs))
  merge_counts(memory.counts)
  local lapses = {}
  for i, lapse in ipairs(memory.liveLapses) do lapses[i] = { to_flow(lapse.untilMs), lapse.count } end
  set('remembered_lapses', merge_lapses(room.remembered_lapses, lapses))
  set('join_peak', math.max(room.join_peak, memory.joinsPerSecondPeak))
  if memory.edition < room.edition then return end
  if memory.edition > room.edition then void_edition(memory.edition) end
  local known_queued = room.queued
  set('queued', math.max(room.queued, memory.queued))
  set('serving', math.max(room.serving, memory.serving))
  set('expired_through', math.max(room.expired_through, memory.expiredThrough))
  local others = merge_draws(memory, gap_lists(memory.gaps))
  local own = room.gaps
  local gaps = is_ticket(memory) and { unpack(own) } or agreed_gaps(own, others, memory.queued)
  for _, gap in ipairs(agreed_gaps(others, own, known_queued)) do gaps[#gaps + 1] = gap end
  set('gaps', normalize_gaps(gaps))
  if is_ticket(memory) then take_number_in(memory.queued) end
end

local function merge_phase(memory)
  if memory.version == room.version then
    set('schedule_mark_ms', math.max(room.schedule_mark_ms, memory.scheduleMarkMs))
  end
  if memory.version <= room.version then return end
  local is_first = room.version == 0
  set('version', memory.version)
  set('base_phase', memory.basePhase)
  set('holds', memory.holds)
  -- The mark belongs to the phase: what came after it is still to be carried out.
  set('schedule_mark_ms', memory.scheduleMarkMs)
  set('file', arg.memory_file)
  set('live', arg.memory_live)
  put_effective(arg.memory_effective, is_first)
end
