-- Keeps the room moving: clocks, inlet, lapses and pruning, each bounded. May be called by any number of processes.
-- ARGV: as of all operations; request: { since (number of the last change the caller saw), eventsAfter (as of events; -1: the newest;
--   missing: none) }.
-- Returns 'ok', JSON { state: a `ReportedState`, more, moves }, the cursor, the settings (in force, of the file, live changes) and the draws
--   as JSON, and of the changed admissions their JSON; oldest change first, at most 500 admissions and as many moves;
--   then rows of events as JSON, and the voids as JSON.
-- Invariant: nothing is counted twice; the serving counter never decreases.

local refusal = enter()
if refusal then return refusal end

move_room()
save()
local admissions = changes_since(key.changes, request.since, 500)
local moved = changes_since(key.moves, request.since, 500)
local state = report_state()
-- JSON keeps 14 digits of a number; those of fractions are texts.
local function keep_exact(values, names)
  for _, member in ipairs(names) do values[member] = values[member] and text_of(values[member]) end
end
keep_exact(state, { 'readyToEnter', 'enteringShare', 'outflowPerMinute', 'planLimitPerMinute' })
if state.adaptive then
  keep_exact(state.adaptive, { 'ratePerMinute', 'targetMs', 'latencyMs', 'baselineMs', 'errorRate' })
end
return {
  'ok', cjson.encode({ state = state, more = admissions.more or moved.more, moves = moved_places(moved.members) }),
  text_of(math.min(admissions.cursor, moved.cursor)), room.effective, room.file, room.live_changes, list_text('draws'),
  record_texts(key.admissions, admissions.members),
  cjson.encode(events_for(request.eventsAfter)), list_text('voids'),
}
