-- Merging by maximum what a process remembers. `memory` is its JSON, with gaps as { from, to } lists.
-- The twin of memory/merge.ts.

-- A ticket that was presented is offered as a memory of version 0: it knows a position and no more.
local function is_ticket(memory)
  return memory.version == 0
end

local function gap_lists(gaps)
  local lists = {}
  for i, gap in ipairs(gaps) do lists[i] = { gap.from, gap.to } end
  return lists
end

local function merge_counters(memory)
  load({ 'join_peak', 'gaps' })
  set('claim_ms', math.max(room.claim_ms, memory.claimMs))
  set('join_peak', math.max(room.join_peak, memory.joinsPerSecondPeak))
  if memory.edition < room.edition then return end
  if memory.edition > room.edition then void_edition(memory.edition) end
  local known = room.queued
  set('queued', math.max(room.queued, memory.queued))
  set('serving', math.max(room.serving, memory.serving))
  set('expired_through', math.max(room.expired_through, memory.expiredThrough))
  local own, others = decode_list(room.gaps), gap_lists(memory.gaps)
  local gaps = is_ticket(memory) and { unpack(own) } or agreed_gaps(own, others, memory.queued)
  for _, gap in ipairs(agreed_gaps(others, own, known)) do gaps[#gaps + 1] = gap end
  set('gaps', encode_list(normalize_gaps(gaps)))
end

local function merge_phase(memory)
  if memory.version <= room.version then return end
  set('version', memory.version)
  set('phase', memory.phase)
  set('phase_reason', memory.phaseReason ~= cjson.null and memory.phaseReason or '')
  set('file', arg.memory_file)
  set('live', arg.memory_live)
  set_effective(arg.memory_effective)
end

local function as_record(admission)
  local ended = admission.ended ~= cjson.null and admission.ended or nil
  return {
    sub = admission.sub, edition = admission.edition, position = admission.position,
    admittedMs = admission.admittedMs, expiresMs = admission.expiresMs, ended = ended,
    logins = admission.logins, claimMs = room.claim_ms,
  }
end

-- Adds to `record` what `admission`, the same one as others remember it, knows more. Answers whether it did.
local function unite(record, admission)
  local known = {}
  for _, login in ipairs(record.logins) do known[login] = true end
  local is_news = is_live(record) and admission.ended ~= cjson.null
  if is_news then record.ended = admission.ended end
  for _, login in ipairs(admission.logins) do
    if not known[login] then
      record.logins[#record.logins + 1] = login
      is_news = true
    end
  end
  return is_news
end

-- The later admission of a visitor counts; of two equal ones ended beats live, and logins are united.
local function merge_admissions(admissions, before_ms)
  for _, admission in ipairs(admissions) do
    if admission.expiresMs + keep_ended_ms > room.at_ms and admission.admittedMs < before_ms then
      local record = read_record(admission.sub)
      if not record or admission.admittedMs > record.admittedMs then put_record(as_record(admission))
      elseif admission.admittedMs == record.admittedMs and unite(record, admission) then put_record(record) end
    end
  end
end
