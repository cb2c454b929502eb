-- Generated from src/core/events/losses.ts by `npm run lua`. Not to be edited.
-- Events that the store has lost and that no process remembers: the room notes between which numbers, so that each webhook that has not taken
-- those is told. Kept beside the cursors as `AFTER:THROUGH`, one loss behind the other.

local function with_loss(text, after, through)
  return (((text .. (text == "" and "" or ":")) .. text_of(after)) .. ":") .. text_of(through)
end

--- No webhook has such an id, since there is a blank in it.
local name = "lost events"

local function read_losses()
  local losses = {}
  local text = read_text(key.deliveries, name)
  if text == nil or text == "" then
    return losses
  end
  local after = -1
  for _, part in ipairs(parts_of(text)) do
    local number = number_of_text(part)
    if after < 0 then
      after = number
    else
      losses[#losses + 1] = {after = after, through = number}
      after = -1
    end
  end
  return losses
end

--- Notes what is lost between the room's last event and the memory of a process. What an earlier process reported as lost, this one may
-- still have: then the latest loss shrinks.
--
-- @param last number of the room's last event
-- @param from the process remembers all events with a higher number
local function record_loss(last, from)
  local losses = read_losses()
  local text = ""
  local index = 0
  for _, loss in ipairs(losses) do
    index = index + 1
    local up_to = index == #losses and math.min(loss.through, from) or loss.through
    if up_to > loss.after and index > #losses - 5 then
      text = with_loss(text, loss.after, up_to)
    end
  end
  if from > last then
    text = with_loss(text, last, from)
  end
  if text ~= "" or #losses > 0 then
    write_text(key.deliveries, name, text)
  end
end

--- Whether events between a cursor and the first one behind it are lost.
local function has_lost(cursor, first)
  for _, loss in ipairs(read_losses()) do
    if cursor < loss.through and first > loss.through then
      return true
    end
  end
  return false
end
