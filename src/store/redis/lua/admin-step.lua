-- Carries out an operator's step, once per request id if there is one; the first answer is given again for 24 h.
-- KEYS: state, group, group_log, log, rows, live, claimed_places, left_places, pending_claims, pending_claim_times, held_times, held, holders,
--   moves, used_moves, used_entries, admission_log, request.
-- ARGV: incarnation and what was seen of it; room; group; step (its name); by (places to increment by); phase (to put the room into); is_set (the
--   alarm, '1' or '0'); count (how many have exited); text (the whole step, to tell a reused id); has_request ('1' or
--   '0').
-- Returns 'ok' and the answer as JSON, or 'ok' and 'conflict'.

local refusal = enter({})
if refusal then return refusal end

if arg.has_request == '1' then
  local earlier_text, earlier_answer, expires_ms =
    unpack(redis.call('HMGET', key.request, 'step', 'answer', 'expires_ms'))
  if earlier_text and tonumber(expires_ms) > room.at_ms then
    save()
    return { 'ok', earlier_text == arg.text and earlier_answer or 'conflict' }
  end
end

local exited
if arg.step == 'increment' then increment(tonumber(arg.by))
elseif arg.step == 'pause' then set_hold('operator', true)
elseif arg.step == 'resume' then resume_room()
elseif arg.step == 'alarm' then set_hold('alarm', arg.is_set == '1')
elseif arg.step == 'phase' then change_base_phase(arg.phase)
elseif arg.step == 'exited' then
  exited = note_exits(tonumber(arg.count))
  refill()
elseif arg.step == 'reset' then reset_room() end
save()

local answer = cjson.encode({
  serving = room.serving, queued = room.queued, waiting = people_waiting(), edition = room.edition, phase = phase_of(),
  exited = exited,
})
if arg.has_request == '1' then
  local keep_ms = 24 * 3600000
  redis.call('HSET', key.request, 'step', arg.text, 'answer', answer, 'expires_ms', text_of(room.at_ms + keep_ms))
  redis.call('PEXPIRE', key.request, keep_ms)
end
return { 'ok', answer }
