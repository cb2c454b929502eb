-- Keeps the room moving: clocks, inlet, lapses and pruning, each bounded. May be called by any number of processes.
-- ARGV: as of all operations; request: { since (number of the last change the caller saw), eventsAfter (as of events; -1: the newest;
--   missing: none) }.
-- Returns 'ok', JSON { state: a `ReportedState`, more, moves }, the cursor, the settings (in force, of the file, live changes) and the draws
--   as JSON, and of the changed admissions their JSON; oldest change first, at most 500 admissions and as many moves;
--   then rows of events as JSON, and the voids as JSON.
-- Invariant: nothing is counted twice; the serving counter never decreases.

local refusal = enter({
  'incarnation_started_ms', 'runs_before', 'lost_ms', 'idle_ended_ms', 'version', 'expired_through', 'claim_within_ms', 'max_active',
  'change_count', 'log_total', 'tat_ms', 'exited', 'unaccounted', 'batches', 'pull_second', 'pull_shown', 'pull_served',
  'pull_called', 'pull_came', 'pull_standing', 'pull_margin_ms', 'progress', 'outflow', 'born_ms', 'draws', 'voids', 'join_seconds', 'join_peak',
  'effective', 'file', 'stock_left', 'stock_as_of_ms', 'stock_mark', 'live_changes', 'limit_changed_ms', 'health_reported_ms', 'count_joined', 'count_entered', 'count_passed',
  'count_bypassed', 'count_completed', 'count_abandoned', 'count_logged_out', 'count_revoked', 'count_expired', 'count_no_shows',
  'count_left', 'log_rows_max', 'log_last', 'log_noted', 'log_counts', 'log_counts_ms', 'log_sealed_seq', 'log_sealed_hash',
  'shared_limit', 'stat_slot', 'presence_shift', 'presence_counted_shift', 'presence_pages', 'presence_pages_shift', 'presence_minute',
  'event_last', 'told_version', 'told', 'told_draws', 'figures_ms', 'full_ms', 'tells_admissions',
})
if refusal then return refusal end

move_room()
save()
local changed = changes_since(key.changes, request.since, 500)
local moved = changes_since(key.moves, request.since, 500)
local state = report_state()
-- JSON keeps 14 digits of a number; those of fractions are texts.
local function keep_exact(values, names)
  for _, name in ipairs(names) do values[name] = values[name] and text_of(values[name]) end
end
keep_exact(state, { 'readyToEnter', 'enteringShare', 'outflowPerMinute', 'planLimitPerMinute' })
if state.adaptive then
  keep_exact(state.adaptive, { 'ratePerMinute', 'targetMs', 'latencyMs', 'baselineMs', 'errorRate' })
end
return {
  'ok', cjson.encode({ state = state, more = changed.more or moved.more, moves = moved_places(moved.members) }),
  text_of(math.min(changed.cursor, moved.cursor)), room.effective, room.file, room.live_changes, list_text('draws'),
  record_texts(key.admissions, changed.members),
  cjson.encode(events_for(request.eventsAfter)), list_text('voids'),
}
