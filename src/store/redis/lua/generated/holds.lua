-- Generated from src/core/holds.ts by `npm run lua`. Not to be edited.
-- What holds a room, and the phase that is told while it does.

local hold_order = {"recovered", "operator", "alarm", "unhealthy", "signal"}

--- Whether a hold counts in this phase.
local function counts_in(hold, phase)
  if hold == "recovered" then
    return true
  end
  return phase == "open" or hold == "operator" and phase == "prequeue"
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

local function phase_of()
  return phase_reason() == nil and room.base_phase or "paused"
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
  local holds = {}
  for _, hold in ipairs(hold_order) do
    if hold == reason then
      if is_set then
        holds[#holds + 1] = hold
      end
    elseif has_hold(hold) then
      holds[#holds + 1] = hold
    end
  end
  set("holds", holds)
  raise_version()
end
