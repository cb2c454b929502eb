-- Generated from src/core/recovery/merge.ts by `npm run lua`. Not to be edited.
-- Merges by maximum what processes remember: counters within the higher edition, at each time the most live admissions that any memory has, and
-- only those gaps on which both sides agree. A gap that reaches a memory's queue counter is only an upper bound, because checkpoints are rounded
-- up; it is no evidence that a position was issued.

--- A ticket that was presented is offered as a memory of version 0: it knows a position and no more.
local function is_ticket(memory)
  return memory.version == 0
end

local function is_older(a, b)
  return a.id < b.id
end

local function are_moved(draw)
  return draw.stage == "closed" or draw.stage == "drawn"
end

local function are_moved_alike(earlier, draw)
  if earlier == nil or not are_moved(earlier) then
    return not are_moved(draw)
  end
  return are_moved(draw) and earlier.first == draw.first and earlier.last == draw.last
end

local function gaps_after_merge(gaps, before, merged)
  local all = gaps
  for _, draw in ipairs(merged) do
    local earlier = draw_of(before, draw.id)
    if not are_moved_alike(earlier, draw) then
      if earlier ~= nil and are_moved(earlier) then
        all = gaps_by_draw(all, earlier, true)
      end
      if are_moved(draw) then
        all = gaps_by_draw(all, draw, false)
      end
    end
  end
  return all
end

local function merge_draws(theirs)
  local before = room.draws
  if #before == 0 and #theirs == 0 then
    return
  end
  local merged = {}
  for _, ours in ipairs(before) do
    local other = draw_of(theirs, ours.id)
    if other ~= nil and is_better(other, ours) then
      other.atFlowMs = ours.atFlowMs
      merged[#merged + 1] = other
    else
      merged[#merged + 1] = ours
    end
  end
  for _, other in ipairs(theirs) do
    if draw_of(merged, other.id) == nil then
      merged[#merged + 1] = other
    end
  end
  sort_by(merged, is_older)
  put_draws(merged)
  set("gaps", gaps_after_merge(room.gaps, before, merged))
end

--- A ticket proves that its number was handed out, and so were those of the same gap before it: numbers are handed out in a row.
-- In a draw to come that begins with its first number; what is a gap behind a fixed draw stays one.
local function take_number_in(number)
  if is_fixed_entry(number) then
    return
  end
  local first = first_coming()
  local before = first > 0 and number >= first and first - 1 or 0
  local gaps = {}
  for _, gap in ipairs(room.gaps) do
    if number < gap[1] or number > gap[2] then
      gaps[#gaps + 1] = gap
    else
      gaps[#gaps + 1] = {gap[1], before}
      gaps[#gaps + 1] = {number + 1, gap[2]}
    end
  end
  set("gaps", normalize_gaps(gaps))
end

local function merge_places(memory)
  local queued_before = room.queued
  set("queued", math.max(room.queued, memory.queued))
  set("serving", math.max(room.serving, memory.serving))
  set("expired_through", math.max(room.expired_through, memory.expiredThrough))
  merge_draws(memory.draws)
  merge_voids(memory.voids)
  local theirs = gaps_after_merge(memory.gaps, memory.draws, room.draws)
  local ours = room.gaps
  local gaps = agreed_gaps(theirs, ours, queued_before)
  for _, gap in ipairs(is_ticket(memory) and ours or agreed_gaps(ours, theirs, memory.queued)) do
    gaps[#gaps + 1] = gap
  end
  set("gaps", normalize_gaps(gaps))
  if is_ticket(memory) then
    take_number_in(memory.queued)
  end
end

local function knows_more_of_draws(theirs)
  local first = room.draws[1]
  local oldest = (first == nil or #room.draws < 16) and 0 or first.id
  for _, draw in ipairs(theirs) do
    local ours = draw_of(room.draws, draw.id)
    local reached = ours == nil and 0 or draw_progress(ours)
    if draw.id >= oldest and draw_progress(draw) > reached then
      return true
    end
  end
  return false
end

local function copy_of(texts)
  return map_list(
    texts,
    function(text) return text end
  )
end

local function as_record(admission, earlier)
  return {
    sub = admission.sub,
    edition = admission.edition,
    position = admission.position,
    entry = admission.entry or nil,
    usedPosition = used_after(earlier, admission.edition, admission.usedPosition),
    via = admission.via,
    admittedMs = admission.admittedMs,
    expiresMs = admission.expiresMs,
    admittedFlowMs = to_flow(admission.admittedMs),
    expiresFlowMs = to_flow(admission.expiresMs),
    visitByFlowMs = admission.visitByMs ~= nil and to_flow(admission.visitByMs) or nil,
    ended = admission.ended,
    logins = copy_of(admission.logins),
    taken = admission.taken ~= nil and copy_of(admission.taken) or nil,
    addresses = admission.addresses ~= nil and copy_of(admission.addresses) or nil,
    claimMs = room.claim_ms
  }
end

local function unite_texts(list, others)
  local added = filter_list(
    others,
    function(text) return not is_in_list(list, text) end
  )
  for _, text in ipairs(added) do
    list[#list + 1] = text
  end
  return #added > 0
end

local function unite(record, admission)
  local is_more = false
  local expires_ms = wall_expires_ms(record)
  if admission.expiresMs > expires_ms then
    expires_ms = admission.expiresMs
    record.admittedFlowMs = to_flow(admission.admittedMs)
    record.expiresFlowMs = to_flow(admission.expiresMs)
    is_more = true
  end
  if is_live(record) and admission.ended ~= nil then
    record.ended = admission.ended
    use_up_exit()
    is_more = true
  end
  if admission.visitByMs == nil and mark_visited(record) then
    is_more = true
  end
  if unite_texts(record.logins, admission.logins) then
    is_more = true
  end
  local taken = record.taken or ({})
  if unite_texts(taken, admission.taken or ({})) then
    record.taken = taken
    is_more = true
  end
  local addresses = record.addresses or ({})
  if unite_texts(addresses, admission.addresses or ({})) then
    record.addresses = addresses
    is_more = true
  end
  if is_more then
    record.expiresMs = expires_ms
  end
  return is_more
end

local function merge_admission(admission)
  local record = read_record(key.admissions, admission.sub)
  if record == nil or admission.admittedMs > record.admittedMs then
    set("is_whole", false)
    recall_record(as_record(admission, record), record)
  elseif admission.admittedMs == record.admittedMs and unite(record, admission) then
    put_record(record, record)
  end
end

local function is_later(one, other)
  return one.untilMs > other.untilMs
end

--- Merges what two memories say of the same admissions: at each time as many are live as the higher of both says. So a memory of
-- a busier time does not hide admissions that last longer. The result is in ascending order.
local function merge_lapses(a, b)
  local of_both = {}
  for _, lapse in ipairs(a) do
    of_both[#of_both + 1] = {untilMs = lapse[1], inA = lapse[2], inB = 0}
  end
  for _, lapse in ipairs(b) do
    of_both[#of_both + 1] = {untilMs = lapse[1], inA = 0, inB = lapse[2]}
  end
  sort_by(of_both, is_later)
  local latest_first = {}
  local live_in_a = 0
  local live_in_b = 0
  local live = 0
  for _, change in ipairs(of_both) do
    live_in_a = live_in_a + change.inA
    live_in_b = live_in_b + change.inB
    local more = math.max(live_in_a, live_in_b) - live
    live = live + more
    local last = latest_first[#latest_first]
    if last ~= nil and last[1] == change.untilMs then
      latest_first[#latest_first] = {last[1], last[2] + more}
    elseif more > 0 then
      latest_first[#latest_first + 1] = {change.untilMs, more}
    end
  end
  local ascending = {}
  while #latest_first > 0 do
    local latest = table.remove(latest_first)
    if latest ~= nil then
      ascending[#ascending + 1] = latest
    end
  end
  return ascending
end

--- The lower rate is the safer one, and so is the baseline by which a lower latency is too much.
local function merge_adaptive(remembered)
  local rate = room.load_rate
  set(
    "load_rate",
    rate == 0 and remembered.ratePerMinute or math.min(rate, remembered.ratePerMinute)
  )
  if remembered.baselineMs == nil then
    return
  end
  set(
    "load_baseline_ms",
    math.min(room.load_baseline_ms or remembered.baselineMs, remembered.baselineMs)
  )
end

local function merge_counts(counts)
  set("count_joined", math.max(room.count_joined, counts.joined))
  set("count_entered", math.max(room.count_entered, counts.entered))
  set("count_passed", math.max(room.count_passed, counts.passed))
  set("count_bypassed", math.max(room.count_bypassed, counts.bypassed))
  set("count_completed", math.max(room.count_completed, counts.completed))
  set("count_abandoned", math.max(room.count_abandoned, counts.abandoned))
  set("count_logged_out", math.max(room.count_logged_out, counts.loggedOut))
  set("count_revoked", math.max(room.count_revoked, counts.revoked))
  set("count_expired", math.max(room.count_expired, counts.expired))
  set("count_no_shows", math.max(room.count_no_shows, counts.noShows))
  set("count_left", math.max(room.count_left, counts.left))
end

local function merge_counters(memory)
  set("claim_ms", math.max(room.claim_ms, memory.claimMs))
  set("idle_ended_ms", math.max(room.idle_ended_ms, memory.idleEndedMs))
  merge_counts(memory.counts)
  local lapses = map_list(
    memory.liveLapses,
    function(lapse) return {to_flow(lapse[1]), lapse[2]} end
  )
  set("remembered_lapses", merge_lapses(room.remembered_lapses, lapses))
  set("join_peak", math.max(room.join_peak, memory.joinsPerSecondPeak))
  if memory.edition < room.edition then
    return
  end
  if memory.edition > room.edition then
    void_edition(memory.edition)
  end
  merge_places(memory)
end

--- Phase, holds and settings of the higher version.
local function merge_phase(memory)
  if memory.version == room.version then
    set("schedule_mark_ms", math.max(room.schedule_mark_ms, memory.scheduleMarkMs))
  end
  if memory.version <= room.version then
    return
  end
  local is_first = room.version == 0
  set("version", memory.version)
  set("base_phase", memory.basePhase)
  set("phase_since_ms", room.at_ms)
  set("holds", memory.holds)
  set("schedule_mark_ms", memory.scheduleMarkMs)
  set("file", memory.settings.file)
  set("live_changes", memory.settings.live)
  put_effective(memory.settings.effective, is_first)
end

--- The stock that was told last. What it holds follows when all is merged.
local function merge_stock(memory)
  local stock = memory.stock or nil
  if stock == nil or stock.mark <= room.stock_mark then
    return
  end
  set("stock_left", stock.left)
  set("stock_as_of_ms", stock.asOfMs)
  set("stock_mark", stock.mark)
end

--- Whether a memory that comes when recovery is over knows of something later than the room: an edition, a position, a draw that has come
-- further, or a higher serving counter than the edition ever had (an operator's step back is no loss).
local function knows_more(memory)
  if memory.edition ~= room.edition then
    return memory.edition > room.edition
  end
  local last = last_handed_out(memory.gaps, memory.queued)
  if last > room.queued or knows_more_of_draws(memory.draws) then
    return true
  end
  return memory.serving > room.serving_high and not is_in_gap(last)
end

--- Whatever loss made a gap: what the memory knows to have been handed out is none. What merely may have been, as far as it
-- knows, becomes one, so that nobody else gets it.
local function take_positions_in(memory)
  local theirs = gaps_after_merge(memory.gaps, memory.draws, room.draws)
  set("gaps", normalize_gaps(agreed_gaps(room.gaps, theirs, memory.queued)))
  if memory.queued > room.queued then
    skip_to(memory.queued)
  end
  if room.serving > room.serving_high then
    add_advance()
  end
end

--- What a late memory knows better of draws that take entries: that they began before, with what was committed to then.
local function correct_draws(theirs)
  if #room.draws == 0 then
    return
  end
  for _, draw in ipairs(theirs) do
    local ours = draw_of(room.draws, draw.id)
    if ours ~= nil and draw_progress(ours) == 1 and draw_progress(draw) == 1 and draw.first < ours.first then
      ours.first = draw.first
      ours.keyId = draw.keyId
      ours.commitment = draw.commitment
      ours.chain = draw.chain
      ours.usesBeacon = draw.usesBeacon
    end
  end
  put_draws(room.draws)
end

---
-- @param isLate recovery is over: what was admitted since is not taken over
local function merge_admissions(admissions, is_late)
  for _, admission in ipairs(admissions) do
    mark_claimed(admission.edition, admission.usedPosition, admission.position)
    local is_retained = admission.expiresMs + 900000 > room.at_ms
    if is_retained and (not is_late or is_from_before(admission.admittedMs)) then
      merge_admission(admission)
    end
  end
  bound_exits()
end
