-- Generated from src/core/steps.ts by `npm run lua`. Not to be edited.
-- What an operator's steps do.

local function is_moved_by_hand()
  return room.inlet_type == "manual" and not is_limited()
end

local function increment(by)
  local from = room.serving
  set("serving", move_over(gaps_to_skip(), from, by))
  log_increment(by)
  if room.serving < from then
    take_back_advances()
  end
  if room.serving <= from then
    return
  end
  local to = math.min(room.serving, math.max(from, room.queued))
  if is_moved_by_hand() and people_waiting() > 0 then
    record_served(places_between(room.gaps, from, to))
  end
  add_advance()
  add_batch(from, to, "operator")
end

local function resume_room()
  local was_forgotten = is_forgotten()
  if was_forgotten and room.edition > 0 then
    local serving = room.serving
    place_gap()
    if room.serving > serving then
      add_advance()
    end
  end
  if room.edition == 0 then
    set("edition", math.floor(room.at_ms / 1000))
  end
  set_hold("operator", false)
  set_hold("recovered", false)
  if not was_forgotten then
    return
  end
  resume_draws()
  follow_phase()
end

local function reset_room()
  keep_served()
  void_edition(math.max(room.edition + 1, math.floor(room.at_ms / 1000)))
  begin_served()
  clear_pending_claims()
  clear_batches()
  clear_progress()
  raise_version()
  record_stock(nil, nil)
  if is_forgotten() then
    set_hold("operator", true)
    set_hold("recovered", false)
  end
  follow_phase()
end

local function carry_out(step)
  if step.step == "increment" then
    increment(step.by)
  elseif step.step == "pause" then
    set_hold("operator", true)
  elseif step.step == "resume" then
    resume_room()
  elseif step.step == "alarm" then
    set_hold("alarm", step.isSet)
  elseif step.step == "phase" then
    change_base_phase(step.phase)
  elseif step.step == "reset" then
    reset_room()
  elseif step.step == "stock" then
    record_stock(step.remaining, step.asOfMs)
  else
    local exited = record_exits(step.count)
    refill()
    return exited
  end
  return nil
end

local remember_ms = 24 * 3600000

--- The answer that a request id got in the last 24 h; null where it is new.
--
-- @param text see `adminStep`
local function repeated_step(request_id, text)
  local earlier = read_answer(key.answers, request_id)
  if earlier == nil or earlier.expiresMs <= room.at_ms then
    return nil
  end
  return earlier.step == text and earlier.answer or ({conflict = true})
end

--- Carries out a step, once per request id if there is one: the first answer is given again for 24 h. `conflict`: the id was
-- used for another step.
--
-- @param text the whole step, to tell that
local function admin_step(step, request_id, text)
  if request_id ~= nil then
    local earlier = repeated_step(request_id, text)
    if earlier ~= nil then
      return earlier
    end
  end
  local exited = carry_out(step)
  publish_changes()
  local answer = {
    serving = room.serving,
    queued = room.queued,
    waiting = people_waiting(),
    edition = room.edition,
    phase = phase_of()
  }
  if exited ~= nil then
    answer.exited = exited
  end
  if step.step == "stock" and room.stock_left ~= nil then
    answer.remaining = room.stock_left
  end
  if request_id ~= nil then
    write_answer(
      key.answers,
      request_id,
      {step = text, answer = answer, expiresMs = room.at_ms + remember_ms},
      room.at_ms
    )
  end
  return answer
end
