-- Generated from src/core/recovery/contribute.ts by `npm run lua`. Not to be edited.
-- What a process remembers of a room: it joins the recovery, or begins one; or, afterwards, corrects what was assumed.

local function catch_up(unseen_ms)
  if unseen_ms <= 0 then
    return
  end
  set("join_peak", math.max(room.join_peak, join_peak()))
  set("flow_ms", room.flow_ms + unseen_ms)
end

local function merge_memory(memory)
  merge_counters(memory)
  merge_phase(memory)
  merge_stock(memory)
  if memory.adaptive ~= nil then
    merge_adaptive(memory.adaptive)
  end
  if memory.log ~= nil then
    merge_log(memory.log.last, memory.log.sealed.seq, memory.log.sealed.hash)
  end
  if memory.events ~= nil then
    merge_events(memory.events)
  end
  merge_admissions(memory.admissions, false)
  merge_moves(memory.edition, memory.queued, memory.moves)
  merge_keys(memory.edition, memory.queued, memory.keys)
  set("is_remembered", true)
end

local function join_recovery(offer, server)
  set("pending_file", offer.file)
  compare_with_found(offer.seen, offer.memory)
  if offer.memory ~= nil then
    merge_memory(offer.memory)
  elseif offer.isNew then
    set("is_new", true)
    if not server.isShared and not room.is_remembered then
      set("recovering_until_ms", room.flow_ms)
    end
  end
end

local function correct_edition(memory)
  correct_draws(memory.draws)
  merge_voids(memory.voids)
  if is_ticket(memory) then
    take_number_in(memory.queued)
  else
    take_positions_in(memory)
  end
  if memory.serving > room.serving_high then
    set("serving", math.max(room.serving, memory.serving))
    add_advance()
  end
  local phase = room.base_phase
  merge_phase(memory)
  merge_stock(memory)
  follow_stock()
  if room.base_phase ~= phase then
    follow_phase()
  end
end

local function take_late_memory(offer, memory, server)
  local was_forgotten = is_forgotten()
  if was_forgotten and is_ticket(memory) then
    interrupt_statistics()
    merge_counters(memory)
    begin_statistics(false)
    if room.serving > room.serving_high then
      add_advance()
    end
  elseif was_forgotten or knows_more(memory) then
    begin_recovery(server, offer.seen)
    merge_memory(memory)
    set("pending_file", offer.file)
    return
  elseif memory.edition == room.edition then
    correct_edition(memory)
  end
  if memory.events ~= nil then
    merge_events(memory.events)
  end
  merge_admissions(memory.admissions, true)
  merge_moves(memory.edition, memory.queued, memory.moves)
  merge_keys(memory.edition, memory.queued, memory.keys)
end

--- Joins recovery, or adopts the current incarnation. Answers the milliseconds of recovery that remain; 0 when there is none.
local function contribute(offer, server)
  local is_existing = room.incarnation ~= ""
  if not is_existing then
    begin_room(offer.file, server.nowMs)
  end
  local is_same_run = is_existing and room.run_id == server.runId
  local seen_run = incarnation_run(offer.seen.incarnation)
  local is_comparable = seen_run == server.runId or is_existing and seen_run == incarnation_run(room.incarnation)
  local is_older_state = is_comparable and is_put_back(offer.seen)
  local found = {
    incarnation = room.incarnation,
    flowMs = room.flow_ms,
    edition = room.edition,
    queued = room.queued
  }
  local run_before = room.run_id
  local elapsed_ms = server.nowMs - room.at_ms
  advance_clocks(server.nowMs)
  if is_existing and not is_same_run then
    catch_up(elapsed_ms - clamp_step(elapsed_ms))
  end
  if not is_same_run or is_older_state then
    begin_recovery(server, offer.seen)
    if is_existing and not is_older_state then
      record_found(found, run_before)
    end
  end
  local memory = offer.memory
  if room.recovering_until_ms > 0 then
    join_recovery(offer, server)
  else
    if memory ~= nil then
      take_late_memory(offer, memory, server)
    end
    local is_start = memory == nil or not is_ticket(memory)
    if room.recovering_until_ms == 0 and is_start then
      apply_file_settings(offer.file)
    end
  end
  finish_recovery()
  if room.recovering_until_ms > 0 then
    return room.recovering_until_ms - room.flow_ms
  end
  carry_out_schedule()
  publish_changes()
  return 0
end
