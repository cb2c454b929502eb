-- Generated from src/core/holds.ts by `npm run lua`. Not to be edited.
-- What keeps the line from moving: holds (an operator's pause, an alarm, everything sold, …), the phase that is reported meanwhile, and draws that are
-- being fixed. Every script asks for these several times; loops cost less in Lua than the functions that `find` takes. Of a room's draws the hot
-- operations go by marks, so that they need not read the records: of each its id, stage, first and last number, its time, and whether its seed is
-- committed to.
-- Some holds also stop one of the room's clocks. The flow clock is the wall clock without its jumps, so an idle night, an outage or a clock step neither releases a flood of
-- visitors nor ends admissions. Only when another run of the server continues with an old state does it catch up. The claim clock also stands
-- still while places cannot be claimed. Both begin at the wall clock's time when a room is created.

local function keep_numbers_behind(now_ms)
  if now_ms < room.at_ms then
    set("event_last", math.max(room.event_last, room.at_ms * 10))
  end
end

local function has_times()
  return room.inlet_type == "periodic" or room.inlet_type == "adaptive"
end

local function serving_part_ms(elapsed_ms)
  if not has_times() then
    return elapsed_ms
  end
  local from_ms = math.max(room.at_ms - elapsed_ms, room.starts_at_ms or 0)
  return math.max(0, math.min(room.at_ms, room.ends_at_ms or room.at_ms) - from_ms)
end

--- Places that were handed out and not served; entries that are voided hold nobody.
local function people_waiting()
  return math.max(0, places_between(room.gaps, room.serving, room.queued) - room.voided_entries)
end

local hold_order = {"recovered", "sold_out", "operator", "alarm", "unhealthy", "signal"}

--- Whether a hold counts in this phase.
local function counts_in(hold, phase)
  if hold == "recovered" then
    return true
  end
  return phase == "open" or (hold == "operator" or hold == "sold_out") and phase == "prequeue"
end

local function has_hold(reason)
  for _, hold in ipairs(room.holds) do
    if hold == reason then
      return true
    end
  end
  return false
end

--- Null when nothing holds the room in its phase.
local function phase_reason()
  for _, hold in ipairs(room.holds) do
    if counts_in(hold, room.base_phase) then
      return hold == "signal" and "unhealthy" or hold
    end
  end
  return nil
end

--- Whether what holds the room is the end of its line.
local function is_line_end(reason)
  return reason == "sold_out" and not room.has_returns
end

--- Whether the line is over since everything is sold.
local function is_line_over()
  return is_line_end(phase_reason())
end

local function phase_of()
  local reason = phase_reason()
  if reason == nil then
    return room.base_phase
  end
  return is_line_end(reason) and "ended" or "paused"
end

--- Whether nobody remembers the room, so that an operator has to say how it goes on.
local function is_forgotten()
  return has_hold("recovered")
end

--- Notes a change. Whatever changes in a forgotten room, it stays at 0: a true memory of it wins.
local function raise_version()
  if not is_forgotten() then
    set("version", room.version + 1)
  end
end

local function set_hold(reason, is_set)
  if has_hold(reason) == is_set then
    return
  end
  set(
    "holds",
    filter_list(
      hold_order,
      function(hold)
        if hold == reason then
          return is_set
        end
        return has_hold(hold)
      end
    )
  )
  raise_version()
end

---
-- @param latencyMs null where the site did not say in time that it is well
local function report_health(latency_ms)
  if room.unhealthy_after == nil or room.healthy_after == nil then
    return
  end
  local is_healthy = latency_ms ~= nil
  set("health_latency_ms", latency_ms)
  set("health_reported_ms", room.flow_ms)
  set("health_failures", is_healthy and 0 or room.health_failures + 1)
  set("health_successes", is_healthy and room.health_successes + 1 or 0)
  if room.health_failures >= room.unhealthy_after then
    set_hold("unhealthy", true)
  end
  if room.health_successes >= room.healthy_after then
    set_hold("unhealthy", false)
  end
end

--- Holds the room while it is sold out. For whatever has changed the message or the stock; a recovery does it at its end.
local function follow_stock()
  set_hold("sold_out", room.says_sold_out or room.stock_left == 0)
end

--- Takes the number that is left; null: none is told any more.
--
-- @param asOfMs when it was true, as the shop says (now), no later than now; null: it does not say. What is older than the last is ignored
local function record_stock(left, as_of_ms)
  local at_ms = as_of_ms == nil and room.at_ms or math.min(as_of_ms, room.at_ms)
  if as_of_ms ~= nil and at_ms < room.stock_as_of_ms then
    return
  end
  set("stock_left", left)
  set("stock_as_of_ms", at_ms)
  set("stock_mark", math.max(room.stock_mark + 1, room.at_ms))
  follow_stock()
end

--- Nothing is served: the order of those who have entered is being fixed.
local function is_drawing()
  for _, mark in ipairs(room.draw_marks) do
    if mark[2] == 2 or mark[2] == 3 then
      return true
    end
  end
  return false
end

--- Whether the time of entries is over that are still taken. Not while the room is forgotten: nobody knows then where the numbers stand.
local function are_entries_over()
  if is_forgotten() then
    return false
  end
  for _, mark in ipairs(room.draw_marks) do
    if mark[2] == 2 then
      return room.flow_ms >= mark[5]
    end
  end
  return false
end

--- A prequeue has begun, and nothing binds the seed of its draw yet.
local function lacks_commitment()
  if room.base_phase ~= "prequeue" then
    return false
  end
  return is_any(
    room.draw_marks,
    function(mark) return mark[2] <= 2 and mark[3] > 0 and mark[6] == 0 end
  )
end

--- Numbers of a cancelled draw are in none. Where nobody has entered, the last number is the one before the first.
local function is_entry_of(mark, number)
  if mark[2] == 4 or mark[3] == 0 or number < mark[3] then
    return false
  end
  return mark[2] <= 2 or number <= mark[4]
end

--- The first number of a draw that has begun and whose last one is not fixed; 0 for none.
local function first_coming()
  local coming = find_in_list(
    room.draw_marks,
    function(mark) return mark[2] <= 2 end
  )
  return coming == nil and 0 or coming[3]
end

--- What a ticket names: of what the place was drawn, else its position; 0 without a place.
local function number_of(place)
  local entry = place.entry or nil
  return (entry == nil or place.position == 0) and place.position or entry.number
end

--- Of what draw the caller has the position; null where it knows of none.
local function draw_id_of(place)
  local entry = place.entry or nil
  if entry == nil then
    return nil
  end
  return entry.draw
end

--- Whether the position is known: no draw has the number, or it was computed by the one that has.
--
-- @param drawId of what draw the caller has the position; null where it knows of none
local function is_placed(number, draw_id)
  for _, mark in ipairs(room.draw_marks) do
    if is_entry_of(mark, number) then
      return mark[2] == 5 and mark[1] == draw_id
    end
  end
  return draw_id == nil
end

--- The draw that is drawn and has the number; 0 for none.
local function drawn_in(number)
  for _, mark in ipairs(room.draw_marks) do
    if mark[2] == 5 and is_entry_of(mark, number) then
      return mark[1]
    end
  end
  return 0
end

--- Whether a draw whose last number is fixed, and which was not cancelled, has the number.
local function is_fixed_entry(number)
  return is_any(
    room.draw_marks,
    function(mark) return mark[2] > 2 and is_entry_of(mark, number) end
  )
end

--- Whether entries may still be taken, now or later; there is one such draw at most, the last one.
local function is_coming(draw)
  return draw.stage == "committed" or draw.stage == "closing"
end

--- How far a draw has come for good: 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn.
local function draw_progress(draw)
  if is_coming(draw) then
    return draw.first > 0 and draw.commitment ~= "" and 1 or 0
  end
  if draw.stage == "closed" then
    return 2
  end
  return draw.stage == "cancelled" and 3 or 4
end

--- Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer.
local function is_better(draw, other)
  local by = draw_progress(draw) - draw_progress(other)
  if by ~= 0 then
    return by > 0
  end
  if draw_progress(other) > 1 then
    return draw.last > other.last
  end
  if draw_progress(other) == 1 and draw.first ~= other.first then
    return draw.first < other.first
  end
  if draw.stage ~= other.stage then
    return draw.stage == "closing"
  end
  return draw.first > other.first or draw.first == other.first and other.commitment == "" and draw.commitment ~= ""
end

--- Whether any outflow limit, own or shared, is set.
local function is_limited()
  return room.limit ~= nil or room.shared_id ~= ""
end

--- Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held.
local function is_on_hold()
  return is_limited() and room.flow_ms < room.hold_until_ms
end

--- Clock steps of more than this, and steps back, count for no more and no less.
local function clamp_step(elapsed_ms)
  return math.min(math.max(elapsed_ms, 0), 5000)
end

--- Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
-- unless the room is open: while it is paused, recovering, held or drawing.
local function advance_clocks(now_ms)
  if now_ms == room.at_ms then
    return
  end
  local elapsed_ms = clamp_step(now_ms - room.at_ms)
  local was_on_hold = is_on_hold()
  keep_numbers_behind(now_ms)
  set("at_ms", now_ms)
  set("flow_ms", room.flow_ms + elapsed_ms)
  if phase_of() ~= "open" or room.recovering_until_ms > 0 or is_drawing() then
    return
  end
  local claim_elapsed_ms = was_on_hold and math.min(elapsed_ms, math.max(0, room.flow_ms - room.hold_until_ms)) or elapsed_ms
  set("claim_ms", room.claim_ms + claim_elapsed_ms)
  local serving_elapsed_ms = serving_part_ms(claim_elapsed_ms)
  if serving_elapsed_ms > 0 and people_waiting() > 0 then
    record_waiting(serving_elapsed_ms)
  end
end

--- Whether the inlet is between its times.
local function is_inlet_on()
  if not has_times() then
    return true
  end
  if room.starts_at_ms ~= nil and room.at_ms < room.starts_at_ms then
    return false
  end
  return room.ends_at_ms == nil or room.at_ms < room.ends_at_ms
end

--- Whether somebody waits and nothing holds the line.
local function is_line_moving()
  return phase_of() == "open" and not is_drawing() and not is_on_hold() and is_inlet_on() and people_waiting() > 0
end

--- The end of an admission to report now. That of an ended one stays as it was reported.
--
-- @param wallMs when it ends by the wall clock, by what is left of it on the flow clock
-- @param reportedMs the end that was reported last
local function reported_end(wall_ms, reported_ms, has_ended)
  return (has_ended or math.abs(wall_ms - reported_ms) <= 1000) and reported_ms or wall_ms
end

--- How an admission that nobody has ended is over: by its time, or with the idle phase that it is of; or because the site has not seen
-- the visitor in time. Null: it is live.
local function lapsed_by(flow_ms, idle_ended_ms, record)
  if record.expiresFlowMs <= flow_ms or record.via == "idle" and record.admittedMs <= idle_ended_ms then
    return "expired"
  end
  local visit_by_ms = record.visitByFlowMs or 0
  return visit_by_ms > 0 and visit_by_ms <= flow_ms and "abandoned" or nil
end

--- A time of the wall clock, as the flow clock will see it.
local function to_flow(wall_ms)
  return room.flow_ms + (wall_ms - room.at_ms)
end

local function to_wall(flow_ms)
  return room.at_ms + (flow_ms - room.flow_ms)
end

--- Whether an admission was made before this incarnation. One that lies in the future was made before the wall clock was set back: what
-- this incarnation had admitted by then would be on record still.
local function is_from_before(admitted_ms)
  return admitted_ms < room.incarnation_started_ms or admitted_ms > room.at_ms
end
