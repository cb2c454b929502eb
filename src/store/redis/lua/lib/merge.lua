-- What a process remembers, as the rules have it, and the phase and settings of it.

local function rows_of(objects, first, second)
  local rows = {}
  for i, object in ipairs(objects) do rows[i] = { object[first], object[second] } end
  return rows
end

-- A memory as it was told: without nulls, and with gaps and lapses as rows.
local function as_memory(memory)
  without_nulls(memory)
  memory.gaps = rows_of(memory.gaps, 'from', 'to')
  memory.liveLapses = rows_of(memory.liveLapses, 'untilMs', 'count')
  for _, draw in ipairs(memory.draws or {}) do draw.gaps = rows_of(draw.gaps, 'from', 'to') end
  return memory
end

local function merge_phase(memory)
  if memory.version == room.version then
    set('schedule_mark_ms', math.max(room.schedule_mark_ms, memory.scheduleMarkMs))
  end
  if memory.version <= room.version then return end
  local is_first = room.version == 0
  set('version', memory.version)
  set('base_phase', memory.basePhase)
  set('holds', memory.holds)
  -- The mark belongs to the phase: what came after it is still to be carried out.
  set('schedule_mark_ms', memory.scheduleMarkMs)
  set('file', arg.memory_file)
  set('live_changes', arg.memory_live)
  put_effective(arg.memory_effective, is_first)
end
