-- Generated from src/core/move.ts by `npm run lua`. Not to be edited.
-- Carries an unclaimed place to another visitor, by a link that is used once. A place has one holder. Idempotent.

local function is_over(request)
  local number = request.number
  if request.edition ~= room.edition or number > room.queued or has_position(key.used_entries, number) then
    return true
  end
  if not is_placed(number, request.drawId) then
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

--- When the place was moved; null where it was not.
local function move(request)
  if is_over(request) then
    return nil
  end
  local holder = read_holder(key.holders, request.number)
  if holder ~= nil and holder.sub == request.to then
    return holder.movedMs
  end
  if is_elsewhere(request.number, request.from) then
    return nil
  end
  if is_link_void(key.used_moves, request.link) then
    return nil
  end
  use_move_link(request.link)
  return put_move(request.number, request.to)
end
