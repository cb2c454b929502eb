-- Generated from src/core/recovery/recovery.ts by `npm run lua`. Not to be edited.
-- A room whose state is new or was lost: what it begins with, how its recovery begins and ends, and whether nothing was lost after all.

local function go_on_from(run)
  local others = filter_list(
    room.runs_before,
    function(other) return other ~= run end
  )
  local runs = {}
  local left = #others
  for _, other in ipairs(others) do
    if left < 10 then
      runs[#runs + 1] = other
    end
    left = left - 1
  end
  runs[#runs + 1] = run
  set("runs_before", runs)
end

local function is_beyond(seen)
  if seen.incarnation == "" or seen.incarnation == room.incarnation then
    return false
  end
  if seen.incarnation ~= room.found_incarnation then
    if incarnation_run(seen.incarnation) ~= incarnation_run(room.found_incarnation) then
      return true
    end
    return incarnation_number(seen.incarnation) > incarnation_number(room.found_incarnation)
  end
  if seen.flowMs > room.found_flow_ms or seen.edition > room.found_edition then
    return true
  end
  return seen.edition == room.found_edition and seen.queued > room.found_queued
end

local function knows_beyond(memory)
  if memory.edition ~= room.found_edition then
    return memory.edition > room.found_edition
  end
  return last_handed_out(memory.gaps, memory.queued) > room.found_queued
end

--- Whether somebody has seen a later state of the room than this, under the same run of the server.
local function is_put_back(seen)
  if room.incarnation ~= seen.incarnation then
    return incarnation_number(room.incarnation) < incarnation_number(seen.incarnation)
  end
  if room.flow_ms < seen.flowMs or room.edition < seen.edition then
    return true
  end
  return room.edition == seen.edition and room.queued < seen.queued
end

--- A room that nobody remembers yet: held, edition 0, in the phase that its schedule says.
local function begin_room(file, now_ms)
  clear_state()
  set("at_ms", now_ms)
  set("flow_ms", now_ms)
  set("claim_ms", now_ms)
  set("born_ms", now_ms)
  set("incarnation_started_ms", now_ms)
  set("holds", {"recovered"})
  set("pull_shown", 5)
  set("pull_served", 5)
  set("file", file)
  set("live_changes", "{}")
  set("effective", file)
  set_rules(decode_settings(file))
  set("base_phase", phase_by_schedule())
  set("schedule_mark_ms", last_schedule_time())
  set("load_decision", "hold")
  set("load_reason", "no_data")
  void_edition(0)
end

--- The number behind one of the server's run; 0 for another run's.
local function number_after(incarnation, server)
  return incarnation_run(incarnation) == server.runId and incarnation_number(incarnation) + 1 or 0
end

--- Begins a new incarnation with its recovery. What the state says already is merged like a contribution. Its number is greater than any
-- that is known of the run, even where the clock was set back. Otherwise each process that has seen a greater one would begin another recovery.
local function begin_recovery(server, seen)
  interrupt_statistics()
  local number = math.max(
    server.nextNumber,
    number_after(room.incarnation, server),
    number_after(seen.incarnation, server)
  )
  set("incarnation", (server.runId .. ".") .. text_of(number))
  set("run_id", server.runId)
  set("recovering_until_ms", room.flow_ms + 2500)
  set("is_remembered", room.edition > 0)
  set("is_new", false)
  set("is_log_whole", server.isLogWhole)
  set("is_whole", false)
  set("pending_file", "")
  set("change_count", math.max(room.change_count, room.at_ms * 1000))
  clear_pending_claims()
  clear_batches()
  reset_adaptive(room.load_rate, room.load_baseline_ms)
end

--- Opens a room for which no ticket can exist, as if it were made now: no gap, no hold.
local function open_new_room()
  set("claim_ms", room.flow_ms)
  set("born_ms", room.flow_ms)
  set("edition", math.floor(room.at_ms / 1000))
  set("base_phase", phase_by_schedule())
  set("schedule_mark_ms", last_schedule_time())
  set("holds", {})
  set("version", 1)
end

--- What was made before is void, unless nothing was lost.
local function end_before(is_new)
  if room.is_whole and room.is_witnessed then
    if room.links_from_ms == 0 then
      set("links_from_ms", room.incarnation_started_ms)
    end
    return
  end
  set("links_from_ms", room.at_ms)
  if is_new then
    return
  end
  set("runs_before", {})
  set("lost_ms", math.max(room.at_ms, room.lost_ms + 1))
end

--- Ends recovery when its time is over.
local function finish_recovery()
  if room.recovering_until_ms == 0 or room.flow_ms < room.recovering_until_ms then
    return
  end
  local is_new = room.is_new and not room.is_remembered
  if is_new then
    open_new_room()
  elseif not is_forgotten() then
    place_gap()
  end
  set("recovering_until_ms", 0)
  end_before(is_new)
  set("incarnation_started_ms", room.at_ms)
  set("hold_until_ms", (is_new or room.is_log_whole) and 0 or room.flow_ms + 60000)
  redis.call("DEL", key.rows)
  set("serving_high", room.serving)
  if room.serving > 0 then
    add_advance()
  end
  if room.pending_file ~= "" then
    apply_file_settings(room.pending_file)
  end
  set("pending_file", "")
  add_unaccounted()
  if is_new then
    follow_phase()
  elseif not is_forgotten() then
    resume_draws()
  end
  follow_stock()
  log_recovery()
  begin_statistics(is_new)
  set("figures_ms", room.flow_ms)
  if not is_new then
    publish_recovery()
  end
  publish_changes()
end

--- Whether a recovery or the entries of a draw are over, a gap is settled, or the schedule says something.
local function are_transitions_due()
  return room.recovering_until_ms > 0 or are_entries_over() or are_gaps_due() or is_schedule_due()
end

--- Every operation does so before all else: what is due is carried out, unless the room still recovers.
local function apply_transitions()
  if not are_transitions_due() then
    return
  end
  finish_recovery()
  if room.recovering_until_ms > 0 then
    return
  end
  close_entries()
  if are_gaps_due() then
    settle_gaps()
  end
  carry_out_schedule()
  publish_changes()
end

--- A recovery begins with a state that nobody is known to have seen a later one of.
--
-- @param found as it was, before any clock moved
local function record_found(found, run)
  set("is_whole", true)
  set("is_witnessed", false)
  set("found_incarnation", found.incarnation)
  set("found_flow_ms", found.flowMs)
  set("found_edition", found.edition)
  set("found_queued", found.queued)
  go_on_from(run)
end

--- Compares what joins the recovery with the state that was found.
local function compare_with_found(seen, memory)
  if not room.is_whole then
    return
  end
  if is_beyond(seen) or memory ~= nil and knows_beyond(memory) then
    set("is_whole", false)
  elseif seen.incarnation == room.found_incarnation and seen.flowMs + 10000 >= room.found_flow_ms then
    set("is_witnessed", true)
  end
end
