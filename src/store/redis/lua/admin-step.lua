-- Carries out an operator's step, once per request id if there is one; the first answer is given again for 24 h.
-- KEYS: state, group, group_log, log, rows, live, claimed_places, left_places, knocks, knock_times, held_times, held, holders,
--   moves, used_moves, used_entries, admission_log, request.
-- ARGV: life and what was seen of it; room; group; step (its name); by (places to increment by); phase (to put the room into); is_set (the
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

-- Whether an operator's steps are the pace of the line: nothing else moves it, and no limit lets people in more slowly.
local function is_moved_by_hand()
  return room.inlet_type == 'manual' and not is_limited()
end

local function increment(by)
  local from = room.serving
  set('serving', move_over(gaps_to_skip(), from, by))
  log_increment(by)
  if room.serving < from then take_back_advances() end
  if room.serving <= from then return end
  local to = math.min(room.serving, math.max(from, room.queued))
  if is_moved_by_hand() and people_waiting() > 0 then note_served(places_between(room.gaps, from, to)) end
  add_advance()
  add_batch(from, to, 'operator')
end

local function resume()
  local was_forgotten = is_forgotten()
  if was_forgotten and room.edition > 0 then
    local serving = room.serving
    place_gap()
    if room.serving > serving then add_advance() end
  end
  if room.edition == 0 then set('edition', math.floor(room.at_ms / 1000)) end
  set_hold('operator', false)
  set_hold('recovered', false)
  if not was_forgotten then return end
  resume_draws()
  follow_phase()
end

local function reset()
  void_edition(math.max(room.edition + 1, math.floor(room.at_ms / 1000)))
  clear_knocks()
  clear_batches()
  clear_progress()
  raise_version()
  if is_forgotten() then
    -- Nothing of the new edition can have been forgotten.
    set_hold('operator', true)
    set_hold('recovered', false)
  end
  follow_phase()
end

local exited
if arg.step == 'increment' then increment(tonumber(arg.by))
elseif arg.step == 'pause' then set_hold('operator', true)
elseif arg.step == 'resume' then resume()
elseif arg.step == 'alarm' then set_hold('alarm', arg.is_set == '1')
elseif arg.step == 'phase' then change_base_phase(arg.phase)
elseif arg.step == 'exited' then
  exited = note_exits(tonumber(arg.count))
  refill()
elseif arg.step == 'reset' then reset() end
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
