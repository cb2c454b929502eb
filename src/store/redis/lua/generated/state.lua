-- Generated from src/core/state.ts by `npm run lua`. Not to be edited.
-- What is reported of a room.

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
