-- Generated from src/core/phases.ts by `npm run lua`. Not to be edited.
-- The base phase and the schedule, which moves it through idle, prequeue, open, ended: each of its times once, and only forward, so that
-- what an operator did since stands, and never out of `passthrough`. A new room begins in the phase that its schedule says for now.

--- The schedule's times, in the order of their phases.
local function times_of()
  local times = {}
  if room.prequeue_at_ms ~= nil then
    times[#times + 1] = {atMs = room.prequeue_at_ms, phase = "prequeue"}
  end
  if room.opens_at_ms ~= nil then
    times[#times + 1] = {atMs = room.opens_at_ms, phase = "open"}
  end
  if room.closes_at_ms ~= nil then
    times[#times + 1] = {atMs = room.closes_at_ms, phase = "ended"}
  end
  return times
end

--- The last of the times that has passed, in the order of their phases; null for none.
local function last_passed()
  local passed = filter_list(
    times_of(),
    function(time) return time.atMs <= room.at_ms end
  )
  return passed[#passed] or nil
end

--- The phase that the schedule alone says for now.
local function phase_by_schedule()
  local last = last_passed()
  if last ~= nil then
    return last.phase
  end
  return (room.prequeue_at_ms ~= nil or room.opens_at_ms ~= nil) and "idle" or "open"
end

local function last_schedule_time()
  local last = last_passed()
  return last == nil and 0 or last.atMs
end

--- When admissions of an idle phase end at the latest: at the schedule's next time; null for none.
local function idle_ends_ms()
  local next = find_in_list(
    times_of(),
    function(time) return time.atMs > room.at_ms end
  )
  if next == nil then
    return nil
  end
  return next.atMs
end

local function change_base_phase(phase)
  if room.base_phase == phase then
    return
  end
  if phase == "idle" then
    set("idle_ended_ms", math.min(room.idle_ended_ms, room.at_ms))
  elseif phase ~= "passthrough" then
    set("idle_ended_ms", room.at_ms)
  end
  set("base_phase", phase)
  set("phase_since_ms", room.at_ms)
  raise_version()
  if not is_forgotten() then
    follow_phase()
  end
  if phase ~= "passthrough" or room.serving >= room.queued then
    return
  end
  set("unsettled_from", 0)
  set("serving", room.queued)
  add_advance()
end

--- In the order that the schedule moves a room through. `passthrough` is outside of it.
local function rank_of(phase)
  if phase == "idle" then
    return 1
  end
  if phase == "prequeue" then
    return 2
  end
  if phase == "open" then
    return 3
  end
  return phase == "ended" and 4 or 5
end

local function move_forward(phase)
  if rank_of(phase) > rank_of(room.base_phase) then
    change_base_phase(phase)
  end
end

--- Whether the schedule says something up to now that was not carried out.
local function is_due(time_ms)
  return time_ms ~= nil and time_ms > room.schedule_mark_ms and time_ms <= room.at_ms
end

local function is_schedule_due()
  return is_due(room.prequeue_at_ms) or is_due(room.opens_at_ms) or is_due(room.closes_at_ms)
end

--- Carries out what the schedule says up to now.
local function carry_out_schedule()
  for _, time in ipairs(times_of()) do
    if is_due(time.atMs) then
      set("schedule_mark_ms", time.atMs)
      move_forward(time.phase)
    end
  end
end

local function is_among(times, wanted)
  return is_any(
    times,
    function(time) return time.atMs == wanted.atMs and time.phase == wanted.phase end
  )
end

--- A phase has one time at most.
local function are_same_times(times, others)
  return #times == #others and not is_any(
    times,
    function(time) return not is_among(others, time) end
  )
end

--- A schedule that was changed: the next event of a room that has ended begins with the phase that it says, and a time that is
-- new counts even if it lies before one that was carried out.
local function adopt_schedule(before)
  local times = times_of()
  if room.schedule_mark_ms > room.at_ms then
    set("schedule_mark_ms", room.at_ms)
  end
  for _, time in ipairs(times) do
    if time.atMs <= room.schedule_mark_ms and not is_among(before, time) then
      move_forward(time.phase)
    end
  end
  local phase = phase_by_schedule()
  if room.base_phase == "ended" and #times > 0 and phase ~= "ended" then
    change_base_phase(phase)
    set("schedule_mark_ms", last_schedule_time())
  end
  carry_out_schedule()
end
