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

local function as_record(admission)
  local ended = admission.ended ~= cjson.null and admission.ended or nil
  return {
    sub = admission.sub, edition = admission.edition, position = admission.position,
    entry = number_or_nil(admission.entry),
    usedPosition = admission.usedPosition, via = admission.via,
    admittedMs = admission.admittedMs, expiresMs = admission.expiresMs,
    admittedFlowMs = to_flow(admission.admittedMs), expiresFlowMs = to_flow(admission.expiresMs),
    ended = ended, logins = admission.logins, taken = admission.taken, addresses = admission.addresses,
    claimMs = room.claim_ms,
  }
end

-- Adds to the list `name` of the record what the other one has besides. Answers whether it has.
local function unite_list(record, admission, name)
  local is_news = false
  for _, each in ipairs(admission[name] or {}) do
    if not has_value(record[name], each) then
      record[name] = record[name] or {}
      table.insert(record[name], each)
      is_news = true
    end
  end
  return is_news
end

-- Adds to `record` what `admission`, the same one as others remember it, knows more. Answers whether it did.
local function unite(record, admission)
  local is_news = false
  local told_ms = told_expires_ms(record)
  record.expiresMs = told_ms
  if admission.expiresMs > told_ms then
    record.expiresMs = admission.expiresMs
    record.admittedFlowMs, record.expiresFlowMs = to_flow(admission.admittedMs), to_flow(admission.expiresMs)
    is_news = true
  end
  if is_live(record) and admission.ended ~= cjson.null then
    record.ended = admission.ended
    use_up_exit()
    is_news = true
  end
  for _, name in ipairs({ 'logins', 'taken', 'addresses' }) do
    if unite_list(record, admission, name) then is_news = true end
  end
  return is_news
end

-- The later admission of a visitor counts; of two equal ones ended beats live, the later end counts, and what it was
-- used for is united. What was admitted from `before_ms` on is not taken over.
local function merge_admissions(admissions, before_ms)
  for _, admission in ipairs(admissions) do
    -- Whenever that was, the place stays claimed.
    mark_claimed(admission)
    if admission.expiresMs + keep_ended_ms > room.at_ms and admission.admittedMs < before_ms then
      local record = read_record(admission.sub)
      if not record or admission.admittedMs > record.admittedMs then
        local news = as_record(admission)
        news.usedPosition = used_after(record, news.edition, news.usedPosition)
        recall_record(news, record)
      elseif admission.admittedMs == record.admittedMs and unite(record, admission) then put_record(record) end
    end
  end
  if room.exited > 0 then set('exited', math.min(room.exited, redis.call('ZCARD', key.live))) end
end
