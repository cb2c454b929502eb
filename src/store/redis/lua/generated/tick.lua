-- Generated from src/core/tick.ts by `npm run lua`. Not to be edited.
-- Keeps the room moving (inlet, lapses, pruning; each bounded, and counted once however many processes call), and reports its state and changes.

local function move_room()
  prune_pending_claims(1000)
  prune_log(room)
  lapse_admissions(500)
  prune_unaccounted()
  record_demand(people_waiting() > 0 or size_of(key.pending_claims) > 0)
  adapt_rate()
  run_inlet()
  expire_advances(500)
  prune_ended(500)
  log_situation()
  log_counts()
  publish_news()
end

local function report_state()
  return {
    incarnation = room.incarnation,
    incarnationStartedMs = room.incarnation_started_ms,
    server = {runId = room.run_id, runsBefore = room.runs_before, lostMs = room.lost_ms},
    edition = room.edition,
    phase = phase_of(),
    phaseReason = phase_reason(),
    basePhase = room.base_phase,
    phaseSinceMs = room.phase_since_ms,
    holds = room.holds,
    scheduleMarkMs = room.schedule_mark_ms,
    idleEndedMs = room.idle_ended_ms,
    version = room.version,
    stock = {left = room.stock_left, asOfMs = room.stock_as_of_ms, mark = room.stock_mark},
    queued = room.queued,
    voidedEntries = room.voided_entries,
    serving = room.serving,
    gaps = filter_list(
      room.gaps,
      function(gap) return gap[2] > room.serving end
    ),
    expiredThrough = room.expired_through,
    liveAdmissions = live_count(),
    liveLapses = live_lapses(),
    pending = pending_places(),
    readyToEnter = people_at_door(),
    enteringShare = entering_share(),
    absent = absent_places(),
    counts = {
      joined = room.count_joined,
      entered = room.count_entered,
      passed = room.count_passed,
      bypassed = room.count_bypassed,
      completed = room.count_completed,
      abandoned = room.count_abandoned,
      loggedOut = room.count_logged_out,
      revoked = room.count_revoked,
      expired = room.count_expired,
      noShows = room.count_no_shows,
      left = room.count_left
    },
    progress = progress_of(),
    outflowPerMinute = measured_outflow(),
    adaptive = adaptive_state(),
    planLimitPerMinute = plan_limit(),
    limitChangedMs = room.limit_changed_ms,
    joinsPerSecondPeak = join_peak(),
    healthReportedMs = room.health_reported_ms,
    flowMs = room.flow_ms,
    claimMs = room.claim_ms,
    nowMs = room.at_ms,
    holdRemainingMs = is_limited() and math.max(0, room.hold_until_ms - room.flow_ms) or 0,
    statisticsSlot = room.stat_slot,
    presence = presence_of(),
    events = {last = room.event_last, told = room.told, toldDraws = room.told_draws},
    log = {last = room.log_last, sealed = {seq = room.log_sealed_seq, hash = room.log_sealed_hash}}
  }
end

--- Those changed after `since`, oldest change first, at most `limit`.
local function changes_since(changes, since, limit)
  local after = since > room.change_count and 0 or since
  local members = members_between(changes, after + 1, room.change_count, limit + 1)
  if #members <= limit then
    return {members = members, cursor = room.change_count, more = false}
  end
  table.remove(members)
  local last = members[#members]
  if last == nil then
    return {members = members, cursor = after, more = true}
  end
  return {members = members, cursor = score_of(changes, last) or after, more = true}
end

--- Who holds these places, by their numbers.
local function moved_places(numbers)
  local moves = {}
  for _, number in ipairs(numbers) do
    local moved = read_record(key.holders, number)
    if moved ~= nil then
      moves[#moves + 1] = moved
    end
  end
  return moves
end

local function is_wanted(record, wanted)
  local status = record.ended or lapse_of(record) or "live"
  if wanted.status ~= nil and wanted.status ~= status then
    return false
  end
  local edition = wanted.edition
  return edition == nil or record.edition == edition.id ~= edition.isOthers
end

--- A page of the admissions that are wanted. Where only some are, at most 1,000 are looked at.
local function list_admissions(since, limit, wanted)
  local are_all_wanted = wanted.status == nil and wanted.edition == nil
  local page = changes_since(key.changes, since, are_all_wanted and limit or 1000)
  local records = {}
  local last = ""
  for _, sub in ipairs(page.members) do
    if #records >= limit then
      return {records = records, cursor = score_of(key.changes, last)}
    end
    local record = read_record(key.admissions, sub)
    if record ~= nil and is_wanted(record, wanted) then
      records[#records + 1] = record
    end
    last = sub
  end
  return {records = records, cursor = page.more and page.cursor or nil}
end
