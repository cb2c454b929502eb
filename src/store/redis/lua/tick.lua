-- Keeps the room moving: clocks, inlet, lapses and pruning, each bounded. May be called by any number of processes.
-- KEYS: state, group, group_log, log, rows, admissions, live, ended, ended_logins, idle, changes, claimed_places, left_places, pending_claims,
--   pending_claim_times, held_times, held, holders, moves, admission_log.
-- ARGV: incarnation and what was seen of it; room; group; since (number of the last change the caller saw).
-- Returns 'ok', the state as names and values, the new cursor, whether there are more changes, changed admissions as JSON,
--   and of moved places number and holder by turns; oldest change first, at most 500 of either.
-- Invariant: nothing is counted twice; the serving counter never decreases.

local refusal = enter({
  'incarnation_started_ms', 'idle_ended_ms', 'version', 'expired_through', 'claim_within_ms', 'max_active',
  'change_count', 'log_total', 'tat_ms', 'exited', 'unaccounted', 'batches', 'pull_second', 'pull_shown', 'pull_served',
  'pull_called', 'pull_came', 'pull_standing', 'pull_margin_ms', 'progress', 'outflow', 'born_ms', 'draws', 'join_seconds', 'join_peak', 'effective', 'file', 'live_changes',
  'limit_changed_ms', 'health_reported_ms', 'count_joined', 'count_entered', 'count_passed', 'count_bypassed',
  'count_completed', 'count_abandoned', 'count_logged_out', 'count_revoked', 'count_expired', 'count_no_shows', 'count_left',
  'log_rows_max', 'log_last', 'log_noted', 'log_counts', 'log_counts_ms', 'log_sealed_seq', 'log_sealed_hash', 'shared_limit',
})
if refusal then return refusal end

move_room()
save()

local since = tonumber(arg.since)
local cursor, more, admissions = changed_since(since, 500)
local moves_cursor, more_moves, moves = moved_since(since, 500)
cursor = text_of(math.min(tonumber(cursor), moves_cursor))
if more_moves then more = '1' end
local progress = progress_of()
local state = {
  'live_admissions', live_count(),
  'live_lapses', encode_list(live_lapses()),
  'pending', pending_places(),
  'at_door', text_of(people_at_door()),
  'entering_share', text_of(entering_share()),
  'absent', absent_places(),
  'phase', phase_of(),
  'phase_reason', phase_reason() or '',
  'progress_span_ms', progress.spanMs,
  'progress_served', progress.served,
  'progress_entered', progress.entered,
  'progress_ended_early', progress.endedEarly,
  'outflow_per_minute', text_of(measured_outflow()),
  'plan_limit_per_minute', text_of(plan_limit() or ''),
  'joins_per_second_peak', join_peak(),
  'draws', list_text('draws'),
  'holds', list_text('holds'),
  'gaps', list_text('gaps'),
  'hold_remaining_ms', is_limited() and math.max(0, room.hold_until_ms - room.flow_ms) or 0,
}
local adaptive = adaptive_state()
if adaptive then
  for _, pair in ipairs({
    { 'rate_per_minute', adaptive.ratePerMinute },
    { 'target_ms', adaptive.targetMs or '' },
    { 'load_latency_ms', adaptive.latencyMs or '' },
    { 'load_baseline_ms', adaptive.baselineMs or '' },
    { 'load_error_rate', adaptive.errorRate or '' },
    { 'load_decision', adaptive.decision },
    { 'load_reason', adaptive.reason },
    { 'load_decided_ms', adaptive.decidedMs },
    { 'load_probed_ms', adaptive.probedMs },
  }) do
    state[#state + 1] = pair[1]
    state[#state + 1] = text_of(pair[2])
  end
end
for _, field in ipairs({
  'incarnation', 'incarnation_started_ms', 'edition', 'base_phase', 'schedule_mark_ms', 'idle_ended_ms', 'version',
  'effective', 'file', 'live_changes', 'queued', 'serving', 'expired_through', 'limit_changed_ms',
  'health_reported_ms', 'flow_ms', 'claim_ms', 'at_ms', 'count_joined', 'count_entered', 'count_passed',
  'count_bypassed', 'count_completed', 'count_abandoned', 'count_logged_out', 'count_revoked', 'count_expired',
  'count_no_shows', 'count_left', 'log_last', 'log_sealed_seq', 'log_sealed_hash',
}) do
  state[#state + 1] = field
  state[#state + 1] = text_of(room[field])
end
return { 'ok', state, cursor, more, admissions, moves }
