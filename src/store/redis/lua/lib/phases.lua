-- Phases and the schedule. The state keeps `holds` as 'recovered,operator,…'. The twin of memory/phases.ts.

local hold_order = { 'recovered', 'operator', 'alarm', 'unhealthy', 'signal' }
-- The phases in which each reason holds a room; in all without an entry.
local held_phases = {
  operator = { prequeue = true, open = true }, alarm = { open = true }, unhealthy = { open = true },
  signal = { open = true },
}
-- In the order that the schedule moves a room through. `passthrough` is outside of it.
local scheduled = { idle = 1, prequeue = 2, open = 3, ended = 4 }

local function has_hold(reason)
  return string.find(',' .. room.holds .. ',', ',' .. reason .. ',', 1, true) ~= nil
end

-- Nil when nothing holds the room in its phase.
local function phase_reason()
  if room.holds == '' then return nil end
  for _, reason in ipairs(hold_order) do
    local phases = held_phases[reason]
    if has_hold(reason) and (phases == nil or phases[room.base_phase]) then
      return reason == 'signal' and 'unhealthy' or reason
    end
  end
end

local function phase_of()
  return phase_reason() and 'paused' or room.base_phase
end

local function is_forgotten()
  return has_hold('recovered')
end

-- Notes a change. Whatever changes in a forgotten room, it stays at 0: a true memory of it wins.
local function raise_version()
  if not is_forgotten() then set('version', room.version + 1) end
end

local function set_hold(reason, is_set)
  if has_hold(reason) == is_set then return end
  local holds = {}
  for _, hold in ipairs(hold_order) do
    local is_kept = is_set
    if hold ~= reason then is_kept = has_hold(hold) end
    if is_kept then holds[#holds + 1] = hold end
  end
  set('holds', table.concat(holds, ','))
  raise_version()
end

-- The schedule's times with the phase that each begins.
local function times_of()
  local times = {}
  if room.prequeue_at_ms then times[#times + 1] = { at_ms = room.prequeue_at_ms, phase = 'prequeue' } end
  if room.opens_at_ms then times[#times + 1] = { at_ms = room.opens_at_ms, phase = 'open' } end
  if room.closes_at_ms then times[#times + 1] = { at_ms = room.closes_at_ms, phase = 'ended' } end
  return times
end

-- The phase that the schedule alone says for now, and the last of its times that has passed, or 0.
local function phase_by_schedule()
  local times = times_of()
  for i = #times, 1, -1 do
    if times[i].at_ms <= room.at_ms then return times[i].phase, times[i].at_ms end
  end
  -- A room that only ends has been open all along.
  return (room.prequeue_at_ms or room.opens_at_ms) and 'idle' or 'open', 0
end

-- When admissions of an idle phase end at the latest: at the schedule's next time.
local function idle_ends_ms()
  for _, time in ipairs(times_of()) do
    if time.at_ms > room.at_ms then return time.at_ms end
  end
  return math.huge
end

local function change_base_phase(phase)
  if room.base_phase == phase then return end
  -- Whatever came between, an idle phase is over when another one begins. A mark ahead of the clock would end the next.
  if phase == 'idle' then set('idle_ended_ms', math.min(room.idle_ended_ms, room.at_ms))
  elseif phase ~= 'passthrough' then set('idle_ended_ms', room.at_ms) end
  set('base_phase', phase)
  raise_version()
  if not is_forgotten() then follow_phase() end
  if phase ~= 'passthrough' or room.serving >= room.queued then return end
  set('unsettled_from', 0)
  set('serving', room.queued)
  add_advance()
end

local function move_forward(phase)
  local stands = scheduled[room.base_phase]
  if stands and scheduled[phase] > stands then change_base_phase(phase) end
end

-- Carries out what the schedule says up to now; each of its times once, and only forward.
local function carry_out_schedule()
  for _, time in ipairs(times_of()) do
    if time.at_ms > room.schedule_mark_ms and time.at_ms <= room.at_ms then
      set('schedule_mark_ms', time.at_ms)
      move_forward(time.phase)
    end
  end
end

local function is_among(times, wanted)
  for _, time in ipairs(times) do
    if time.at_ms == wanted.at_ms and time.phase == wanted.phase then return true end
  end
  return false
end

-- A schedule that was changed from that of the times `before`: the next event of a room that has ended begins with the
-- phase that it says, and a time that is new counts even if it lies before one that was carried out.
local function adopt_schedule(before)
  local times = times_of()
  -- What is still to come counts, though the clock was ahead once.
  if room.schedule_mark_ms > room.at_ms then set('schedule_mark_ms', room.at_ms) end
  for _, time in ipairs(times) do
    if time.at_ms <= room.schedule_mark_ms and not is_among(before, time) then move_forward(time.phase) end
  end
  local phase, mark_ms = phase_by_schedule()
  if room.base_phase == 'ended' and #times > 0 and phase ~= 'ended' then
    change_base_phase(phase)
    set('schedule_mark_ms', mark_ms)
  end
  carry_out_schedule()
end
