-- Generated from src/core/moves.ts by `npm run lua`. Not to be edited.
-- Places that were moved to another visitor. What is moved last is remembered.

--- Whether the place was moved to somebody else.
local function is_elsewhere(number, sub)
  local holder = read_holder(key.holders, number)
  return holder ~= nil and holder.sub ~= sub
end

--- Whether the place was claimed, or had its turn: it is a lower one than the visitor was admitted with.
--
-- @param record the visitor's
local function was_claimed(position, number, sub, record)
  if has_position(key.claimed_places, position) then
    return true
  end
  if record == nil or record.edition ~= room.edition or position > record.usedPosition then
    return false
  end
  local holder = read_holder(key.holders, number)
  return holder == nil or holder.sub ~= sub
end

local function put_holder(number, sub, moved_ms)
  set("change_count", room.change_count + 1)
  write_holder(key.holders, number, {sub = sub, movedMs = moved_ms})
  set_score(key.moves, number, room.change_count)
  if count_holders(key.holders) <= 100000 then
    return
  end
  for _, oldest in ipairs(members_between(key.moves, 0, room.change_count, 1)) do
    remove_member(key.moves, oldest)
    forget_holder(key.holders, oldest)
  end
end

--- Makes a visitor the holder of a place, as of now. Answers when that is.
local function put_move(number, sub)
  local earlier = read_holder(key.holders, number)
  local earlier_ms = earlier == nil and 0 or earlier.movedMs
  local moved_ms = math.max(room.at_ms, earlier_ms + 1)
  put_holder(number, sub, moved_ms)
  return moved_ms
end

--- What others remember of an edition; the last move of a place counts.
--
-- @param queued their queue counter
local function merge_moves(edition, queued, moves)
  if edition ~= room.edition then
    return
  end
  for _, move in ipairs(moves) do
    local known = read_holder(key.holders, move.number)
    local known_ms = known == nil and 0 or known.movedMs
    if move.number <= queued and move.movedMs > known_ms then
      put_holder(move.number, move.sub, move.movedMs)
    end
  end
end
