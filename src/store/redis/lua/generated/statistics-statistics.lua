-- Generated from src/core/statistics/statistics.ts by `npm run lua`. Not to be edited.
-- How a room went: of each ten seconds and of each minute of the wall clock, what has happened in it and how the room stood at its end.
-- A slot is closed by the first call that comes after it, so its figures are seen up to about a second late; what a slot has counted is the
-- difference of counters that the room keeps anyway, so all slots together say what the counters do. What has no place in a row's numbers
-- is counted with the next.
-- What others remember after a loss is in no slot: a recovery ends the slot that was open, and another one begins with it. A slot in which
-- nobody called is not written. A quiet one, in which nothing happened or changed, is counted at the row before it. Where the clock was
-- set back, what happens is added to the rows of that time.

--- Whether the slot that is open is not the one of now. Where the clock was set back by a moment, it stays open.
local function is_slot_over(open, now_ms)
  local slot = math.floor(now_ms / 10000)
  return slot ~= open and slot ~= open - 1
end

local function phase_code()
  local phase = phase_of()
  if phase == "idle" then
    return 1
  end
  if phase == "prequeue" then
    return 2
  end
  if phase == "open" then
    return 3
  end
  if phase == "paused" then
    return 4
  end
  return phase == "ended" and 5 or 6
end

local function gauges_of()
  local limit = room.limit
  local rate = plan_limit()
  local latency_ms = room.load_latency_ms or room.health_latency_ms
  local error_rate = room.load_error_rate
  return {
    people_waiting(),
    size_of(key.pending_claims),
    absent_places(),
    math.max(0, live_count()),
    limit == nil and 0 or limit + 1,
    rate == nil and 0 or math.floor(rate * 10 + 0.5) + 1,
    latency_ms == nil and 0 or math.floor(latency_ms + 0.5) + 1,
    0,
    0,
    error_rate == nil and 0 or math.floor(error_rate * 10000 + 0.5) + 1,
    phase_code()
  }
end

local function no_gauges()
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
end

local function served_through()
  return math.min(room.serving, room.queued)
end

local function served_places()
  local from = room.stat_served_through
  local to = served_through()
  local moved = to >= from and places_between(room.gaps, from, to) or -places_between(room.gaps, to, from)
  return room.stat_served + moved
end

local function counts_of()
  return {
    room.count_joined,
    served_places(),
    room.count_entered,
    room.count_bypassed,
    room.count_passed,
    room.count_completed,
    room.count_abandoned,
    room.count_logged_out,
    room.count_revoked,
    room.count_expired,
    room.count_no_shows,
    room.count_left
  }
end

local function fitting(count)
  return math.max(-8388607, math.min(8388607, count))
end

local function combined(one, other, sign)
  local sums = {}
  for _, value in ipairs(one) do
    sums[#sums + 1] = value + sign * (other[#sums + 1] or 0)
  end
  return sums
end

local function no_refusals()
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
end

local function counted_of()
  local base = room.stat_base
  local counted = {}
  for _, count in ipairs(counts_of()) do
    counted[#counted + 1] = fitting(count - (base[#counted + 1] or 0))
  end
  for _, refused in ipairs(combined(no_refusals(), room.stat_refused, 1)) do
    counted[#counted + 1] = fitting(refused)
  end
  return counted
end

--- What was served until now stays counted: of gaps, and of editions, the older ones are forgotten.
local function keep_served()
  set("stat_served", served_places())
  set("stat_served_through", served_through())
end

local function left_over(counted)
  return combined(combined(counts_of(), room.stat_base, -1), counted, -1)
end

local function refused_beyond(counted)
  local rest = {}
  for _, count in ipairs(room.stat_refused) do
    rest[#rest + 1] = count - (counted[#counted - 14 + #rest + 1] or 0)
  end
  return is_any(
    rest,
    function(count) return count > 0 end
  ) and rest or ({})
end

local function is_quiet(row, mark)
  if row.flags ~= 0 or is_any(
    row.counted,
    function(count) return count ~= 0 end
  ) then
    return false
  end
  local index = 2
  for _, gauge in ipairs(row.gauges) do
    if gauge ~= mark[index + 1] then
      return false
    end
    index = index + 1
  end
  return true
end

local function mark_of(last, quiet, gauges)
  local mark = {last, quiet}
  for _, gauge in ipairs(gauges) do
    mark[#mark + 1] = gauge
  end
  return mark
end

local function keep_quiet(ring, size, last, quiet)
  if quiet == 0 then
    return
  end
  local row = read_slot(ring, size, last)
  if row == nil then
    return
  end
  row.quiet = math.max(row.quiet, quiet)
  write_slot(ring, size, last, row)
end

local function add_earlier(row, earlier)
  row.flags = math.max(row.flags, earlier.flags, 1)
  row.quiet = earlier.quiet
  row.counted = map_list(
    combined(row.counted, earlier.counted, 1),
    function(count) return fitting(count) end
  )
end

local function put_row(ring, size, mark, slot, row, quiet_most)
  local last = mark[1] or 0
  local quiet = mark[2] or 0
  if slot == last + quiet + 1 and quiet < quiet_most and is_quiet(row, mark) then
    return mark_of(last, quiet + 1, row.gauges)
  end
  keep_quiet(ring, size, last, quiet)
  local existing = read_slot(ring, size, slot)
  if existing ~= nil then
    add_earlier(row, existing)
  end
  write_slot(ring, size, slot, row)
  return mark_of(slot, 0, row.gauges)
end

local function close_slot(gauges, flags)
  local counted = counted_of()
  keep_served()
  set("stat_base", combined(counts_of(), left_over(counted), -1))
  set("stat_refused", refused_beyond(counted))
  set("stat_minute", combined(counted, room.stat_minute, 1))
  set("stat_minute_flags", math.max(room.stat_minute_flags, room.stat_flags, flags))
  local row = {flags = math.max(room.stat_flags, flags), quiet = 0, counted = counted, gauges = gauges}
  set(
    "stat_tens",
    put_row(key.statistics_tens, 289, room.stat_tens, room.stat_slot, row, 4320)
  )
end

local function minute_of(slot)
  return math.floor(slot / 6)
end

local function close_minute(gauges)
  local sums = room.stat_minute
  local counted = map_list(
    sums,
    function(count) return fitting(count) end
  )
  local row = {flags = room.stat_minute_flags, quiet = 0, counted = counted, gauges = gauges}
  local minute = minute_of(room.stat_slot)
  set(
    "stat_minutes",
    put_row(key.statistics_minutes, 2161, room.stat_minutes, minute, row, 1440)
  )
  local rest = combined(sums, counted, -1)
  set(
    "stat_minute",
    is_any(
      rest,
      function(count) return count ~= 0 end
    ) and rest or ({})
  )
end

local function with_pages(gauges, pages, shift)
  local all = {}
  for _, gauge in ipairs(gauges) do
    if #all == 7 then
      all[#all + 1] = pages
    elseif #all == 8 then
      all[#all + 1] = pages == 0 and 0 or shift
    else
      all[#all + 1] = gauge
    end
  end
  return all
end

local function begin_slot(slot, flags)
  set("stat_slot", slot)
  set("stat_flags", flags)
end

local function move_on(slot)
  local open = room.stat_slot
  local is_next = slot == open + 1
  local gauges = is_next and gauges_of() or no_gauges()
  close_slot(gauges, is_next and 0 or 1)
  local minute = minute_of(slot)
  if minute ~= minute_of(open) then
    if not is_next then
      set("stat_minute_flags", math.max(room.stat_minute_flags, 1))
    end
    local pages = count_pages(room.stat_minute_flags == 0, minute)
    local sums = room.stat_minute
    publish_refusals(sums[1] or 0, sums[15] or 0, sums[25] or 0, sums[26] or 0)
    close_minute(with_pages(gauges, pages, room.presence_pages_shift))
    set("stat_minute_flags", is_next and 0 or 1)
    if not is_next then
      forget_pages()
    end
  end
  begin_slot(slot, is_next and 0 or 1)
  bound_sample()
end

local function take_report(report)
  record_pages(report.pages)
  if #report.refused == 0 then
    return
  end
  local reporters = room.stat_reporters
  local previous = find_in_list(
    reporters,
    function(reporter) return reporter[1] == report.process end
  )
  if previous ~= nil and previous[2] >= report.sequence then
    return
  end
  local others = filter_list(
    reporters,
    function(reporter) return reporter[1] ~= report.process end
  )
  local latest = {report.process, report.sequence}
  others[#others + 1] = latest
  while #others > 64 do
    table.remove(others, 1)
  end
  set("stat_reporters", others)
  set(
    "stat_refused",
    combined(combined(no_refusals(), report.refused, 1), room.stat_refused, 1)
  )
end

--- Begins to record as of now, at the beginning of a room or behind a recovery.
local function begin_statistics(is_new)
  set("stat_minute", {})
  set("stat_minute_flags", is_new and 0 or 2)
  forget_pages()
  begin_slot(math.floor(room.at_ms / 10000), is_new and 0 or 2)
  set("stat_base", counts_of())
end

--- Before a recovery merges what others remember: what was counted until now is in the slot that was open, and nothing else.
local function interrupt_statistics()
  if room.stat_slot == 0 then
    return
  end
  close_slot(no_gauges(), 2)
  close_minute(no_gauges())
  set("stat_slot", 0)
end

--- Closes the slot that is over, if any, and takes in what a process reports.
local function record_statistics(report)
  if room.stat_slot == 0 then
    begin_statistics(false)
  end
  if is_slot_over(room.stat_slot, room.at_ms) then
    move_on(math.floor(room.at_ms / 10000))
  end
  if report ~= nil then
    take_report(report)
  end
end

--- The slot that is open and its minute, so far.
local function open_statistics()
  local counted = counted_of()
  return {
    slot = room.stat_slot,
    flags = room.stat_flags,
    counted = counted,
    minuteFlags = math.max(room.stat_minute_flags, room.stat_flags),
    minuteCounted = combined(counted, room.stat_minute, 1),
    tensLast = room.stat_tens[1] or 0,
    tensQuiet = room.stat_tens[2] or 0,
    minutesLast = room.stat_minutes[1] or 0,
    minutesQuiet = room.stat_minutes[2] or 0
  }
end

--- Counters of positions have just begun anew.
local function begin_served()
  set("stat_served_through", 0)
end
