-- Keeps the room moving: clocks, inlet, lapses and pruning, each bounded. May be called by any number of processes.
-- KEYS: state, rows, admissions, live, ended, changes, claimed_places, log, knocks, knock_times, held_times.
-- ARGV: life; since (number of the last change the caller saw).
-- Returns 'ok', the state as names and values, the new cursor, whether there are more changes, and changed
--   admissions as JSON, oldest change first, at most 500.
-- Invariant: nothing is counted twice; the serving counter never decreases.

local refusal = enter()
if refusal then return refusal end
load({ 'change_count' })

prune_knocks(1000)
prune_log()
pull()
lapse_admissions(500)
expire_advances(500)
prune_ended(500)
save()

load({ 'effective', 'file', 'live', 'gaps' })
local cursor, more, admissions = changed_since(tonumber(arg.since), 500)
local state = {
  'life', room.life,
  'life_started_ms', room.life_started_ms,
  'edition', room.edition,
  'phase', room.phase,
  'phase_reason', room.phase_reason,
  'version', room.version,
  'effective', room.effective,
  'file', room.file,
  'live', room.live,
  'queued', room.queued,
  'serving', room.serving,
  'gaps', room.gaps,
  'expired_through', room.expired_through,
  'live_admissions', redis.call('ZCOUNT', key.live, '(' .. text_of(room.at_ms), '+inf'),
  'outflow_per_minute', text_of(measured_outflow()),
  'joins_per_second_peak', join_peak(),
  'flow_ms', room.flow_ms,
  'claim_ms', room.claim_ms,
  'now_ms', room.at_ms,
  'hold_remaining_ms', room.limit == nil and 0 or math.max(0, room.hold_until_ms - room.flow_ms),
}
return { 'ok', state, cursor, more, admissions }
