-- Generated from src/core/leave.ts by `npm run lua`. Not to be edited.
-- Voids a place for the rest of its edition. A place that was left is not admitted. Idempotent.

local function leave(place)
  local number = number_of(place)
  local position = place.position
  if place.edition ~= room.edition or is_elsewhere(number, place.sub) then
    return
  end
  if room.has_push then
    forget_push(place.sub)
  end
  local is_positioned = is_placed(number, draw_id_of(place))
  if is_positioned then
    remove_pending_claim(position)
  end
  if number > room.queued or has_position(key.used_entries, number) then
    return
  end
  if not is_positioned then
    add_position(key.used_entries, number)
  elseif has_position(key.claimed_places, position) or has_position(key.left_places, position) then
    return
  else
    add_position(key.left_places, position)
  end
  set("count_left", room.count_left + 1)
end
