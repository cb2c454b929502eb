-- Generated from src/core/steps.ts by `npm run lua`. Not to be edited.
-- What an operator's steps do.

--- Whether an operator's steps are the pace of the line: nothing else moves it, and no limit lets people in more slowly.
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
    note_served(places_between(room.gaps, from, to))
  end
  add_advance()
  add_batch(from, to, "operator")
end

--- Lifts the operator's hold, and that of a room which nobody remembers.
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

--- Begins a new edition.
local function reset_room()
  void_edition(math.max(room.edition + 1, math.floor(room.at_ms / 1000)))
  clear_pending_claims()
  clear_batches()
  clear_progress()
  raise_version()
  if is_forgotten() then
    set_hold("operator", true)
    set_hold("recovered", false)
  end
  follow_phase()
end
