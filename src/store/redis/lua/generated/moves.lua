-- Generated from src/core/moves.ts by `npm run lua`. Not to be edited.
-- Places that were moved to another visitor, by a link that is used once; and links that were used, bypass links too. A place has one
-- holder. What is moved last is remembered.

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
  local holder = read_record(key.holders, number)
  return holder == nil or holder.sub ~= sub
end

local function is_over(request, number)
  if request.edition ~= room.edition or number > room.queued or has_position(key.used_entries, number) then
    return true
  end
  if is_voided(number, request.position) then
    return true
  end
  if not is_placed(number, draw_id_of(request)) then
    return false
  end
  if has_position(key.left_places, request.position) then
    return true
  end
  local record = read_record(key.admissions, request.from)
  if was_claimed(request.position, number, request.from, record) then
    return true
  end
  return request.position <= room.serving and has_expired(request.position, request.joinedMs)
end

--- Whether a link is good for nothing: used, over, or of a time that the room knows nothing of.
--
-- @param used those of its kind
local function is_link_void(used, link)
  if score_of(used, link.id) ~= nil then
    return true
  end
  local from_ms = room.links_from_ms > 0 and room.links_from_ms or room.incarnation_started_ms
  return room.at_ms > link.expiresMs or link.madeMs < from_ms or link.madeMs > room.at_ms + 5000
end

--- Whether the place was moved to somebody else.
local function is_elsewhere(number, sub)
  local holder = read_record(key.holders, number)
  return holder ~= nil and holder.sub ~= sub
end

local function put_move(moved)
  set("change_count", room.change_count + 1)
  write_record(key.holders, moved.number, moved)
  set_score(key.moves, moved.number, room.change_count)
  if count_records(key.holders) <= 100000 then
    return
  end
  for _, oldest in ipairs(members_between(key.moves, 0, room.change_count, 1)) do
    remove_member(key.moves, oldest)
    forget_record(key.holders, oldest)
  end
end

--- When the place was moved last; 0 for never.
local function moved_at(number)
  local moved = read_record(key.holders, number)
  return moved == nil and 0 or moved.movedMs
end

--- What others remember of an edition; the last move of a place counts.
--
-- @param queued their queue counter
local function merge_moves(edition, queued, moves)
  if edition ~= room.edition then
    return
  end
  for _, moved in ipairs(moves) do
    if moved.number <= queued and moved.movedMs > moved_at(moved.number) then
      put_move(moved)
      set("is_whole", false)
    end
  end
end

--- Whether the room's rule lets the place go to another browser.
local function may_move(number, request)
  if room.move_rule == "unlimited" then
    return true
  end
  return room.move_rule == "once" and moved_at(number) == 0 and is_placed(number, draw_id_of(request))
end

--- Null where it was not moved.
local function move(request)
  local number = number_of(request)
  if is_over(request, number) then
    return nil
  end
  local holder = read_record(key.holders, number)
  if holder ~= nil and holder.sub == request.to then
    return holder
  end
  if is_elsewhere(number, request.from) then
    return nil
  end
  if not may_move(number, request) then
    return nil
  end
  if is_link_void(key.used_moves, request.link) then
    return nil
  end
  set_score(key.used_moves, request.link.id, request.link.expiresMs)
  if size_of(key.used_moves) > 100000 then
    remove_lowest(key.used_moves)
  end
  local moved_ms = math.max(room.at_ms, moved_at(number) + 1)
  local moved = {number = number, sub = request.to, movedMs = moved_ms}
  put_move(moved)
  if room.has_push then
    forget_push(request.from)
  end
  return moved
end

local function use_link(link)
  remove_members(key.used_links, members_between(key.used_links, 0, room.at_ms - 86400000, 100))
  set_score(key.used_links, link.id, link.expiresMs)
end
