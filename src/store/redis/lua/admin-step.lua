-- Carries out an operator's step, once per request id if there is one; the first answer is given again for 24 h.
-- KEYS: state, rows, claimed_places, left_places, knocks, knock_times, held_times, request.
-- ARGV: life; step (its name); by (for increments); text (the whole step, to tell a reused id); has_request ('1' or
--   '0').
-- Returns 'ok' and the answer as JSON, or 'ok' and 'conflict'.

local refusal = enter()
if refusal then return refusal end

if arg.has_request == '1' then
  local earlier_text, earlier_answer = unpack(redis.call('HMGET', key.request, 'step', 'answer'))
  if earlier_text then
    save()
    return { 'ok', earlier_text == arg.text and earlier_answer or 'conflict' }
  end
end

load({ 'gaps', 'batches' })

local function change_phase(phase, reason)
  set('phase', phase)
  set('phase_reason', reason)
  set('version', room.version + 1)
end

local function increment(by)
  local gaps = decode_list(room.gaps)
  local from = room.serving
  set('serving', move_over(gaps, from, by))
  if room.serving < from then take_back_advances() end
  if room.serving <= from then return end
  add_advance()
  add_batch(gaps, from, math.min(room.serving, math.max(from, room.queued)))
end

local function resume()
  if room.phase_reason == 'recovered' and room.edition > 0 then
    local serving = room.serving
    place_gap()
    if room.serving > serving then add_advance() end
  end
  if room.edition == 0 then set('edition', math.floor(room.at_ms / 1000)) end
  change_phase('open', '')
end

local function reset()
  void_edition(math.max(room.edition + 1, math.floor(room.at_ms / 1000)))
  clear_knocks()
  set('batches', '')
  set('version', room.version + 1)
  -- Nothing of the new edition can have been forgotten.
  if room.phase_reason == 'recovered' then set('phase_reason', 'operator') end
end

if arg.step == 'increment' then increment(tonumber(arg.by))
elseif arg.step == 'reset' then reset()
elseif arg.step == 'resume' and room.phase == 'paused' then resume()
-- A forgotten room is paused already, for a reason that must not be lost.
elseif arg.step == 'pause' and room.phase == 'open' then change_phase('paused', 'operator') end
save()

load({ 'gaps' })
local answer = cjson.encode({
  serving = room.serving, queued = room.queued, edition = room.edition, phase = room.phase,
  waiting = places_between(decode_list(room.gaps), room.serving, room.queued),
})
if arg.has_request == '1' then
  redis.call('HSET', key.request, 'step', arg.text, 'answer', answer)
  redis.call('PEXPIRE', key.request, 24 * 3600000)
end
return { 'ok', answer }
