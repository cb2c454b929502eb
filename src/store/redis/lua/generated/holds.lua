-- Generated from src/core/holds.ts by `npm run lua`. Not to be edited.
-- What holds a room (an operator's pause, an alarm, everything sold, …), and the phase that is reported meanwhile. Every script asks for the
-- phase several times; loops cost less in Lua than the functions that `find` takes.

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
