-- Generated from src/core/holds.ts by `npm run lua`. Not to be edited.
-- What keeps the line from moving: holds (an operator's pause, an alarm, everything sold, …), the phase that is reported meanwhile, and draws that are
-- being fixed. Every script asks for these several times; loops cost less in Lua than the functions that `find` takes. Of a room's draws the hot
-- operations go by marks, so that they need not read the records: of each its id, stage, first and last number, its time, and whether its seed is
-- committed to.

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
