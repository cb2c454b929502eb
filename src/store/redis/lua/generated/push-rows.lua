-- Generated from src/core/push-rows.ts by `npm run lua`. Not to be edited.
-- Subscriptions as they are kept, by `sub`: `NUMBER:POSITION:DRAW:TEXT`.

local function read_row(sub)
  local row = read_text(key.push_texts, sub)
  if row == nil then
    return nil
  end
  local behind_number = after_colon(row)
  local behind_position = after_colon(behind_number)
  return {
    number = leading_number(row),
    position = leading_number(behind_number),
    draw = leading_number(behind_position),
    text = after_colon(behind_position)
  }
end

local function write_row(sub, row)
  local place = (((text_of(row.number) .. ":") .. text_of(row.position)) .. ":") .. text_of(row.draw)
  write_text(key.push_texts, sub, (place .. ":") .. row.text)
end

--- Subscriptions, and notifications under way.
local function count_pushes()
  return size_of(key.push_turns) + size_of(key.push_undrawn) + size_of(key.push_due)
end

local function clear_pushes()
  redis.call("DEL", key.push_texts, key.push_turns, key.push_near, key.push_undrawn, key.push_due)
end

--- The visitor is not to be notified any more. What was taken for them is dropped when it comes again.
local function forget_push(sub)
  forget_text(key.push_texts, sub)
  remove_member(key.push_turns, sub)
  remove_member(key.push_near, sub)
  remove_member(key.push_undrawn, sub)
end
