-- Generated from src/core/join.ts by `npm run lua`. Not to be edited.
-- Joins take consecutive positions, and serve those that need not wait. `maxWaiting` bounds the waiting ones: places that are open or served
-- at once do not count. Leaving voids a place for the rest of its edition.

local function has_line()
  return (room.base_phase == "open" or room.base_phase == "prequeue") and not is_line_over()
end

local function record_joins(count)
  local second = math.floor(room.flow_ms / 1000)
  local seconds = room.join_seconds
  local last = seconds[#seconds]
  if last ~= nil and last[1] == second then
    last[2] = last[2] + count
  else
    seconds[#seconds + 1] = {second, count}
  end
  while #seconds > 10 do
    table.remove(seconds, 1)
  end
  set("join_seconds", seconds)
end

local function grant(count)
  local waiting = people_waiting()
  local open = math.max(0, room.serving - room.queued)
  local at_once = waiting == 0 and open == 0 and places_served_at_once(count) or 0
  local left = room.max_waiting == nil and count or open + at_once + math.max(0, room.max_waiting - waiting)
  local granted = math.min(count, left)
  if granted <= 0 then
    return 0
  end
  local queued_before = room.queued
  set("queued", room.queued + granted)
  set("count_joined", room.count_joined + granted)
  record_joins(granted)
  if open > 0 then
    add_taken_places(queued_before)
    add_batch(queued_before, math.min(room.serving, room.queued), "inlet")
  end
  serve(math.min(at_once, granted))
  return granted
end

--- Takes up to `count` consecutive positions, and serves those that need not wait. Null while that is not possible yet: nobody
-- remembers the room, or nothing binds the seed of its draw. None are taken where some of those who join come from a voided block.
--
-- @param rows the blocks of those who join, where they are entries of a draw; else ""
local function join(count, rows)
  if is_forgotten() or lacks_commitment() then
    return nil
  end
  local first = room.queued + 1
  local voided = voided_joins(rows)
  local granted = has_line() and #voided == 0 and grant(count) or 0
  keep_rows(first, granted, rows)
  local refusal = nil
  if not has_line() then
    refusal = "closed"
  elseif #voided > 0 then
    refusal = "voided"
  elseif granted < count then
    refusal = "full"
    if room.full_ms == 0 then
      set("full_ms", room.at_ms)
    end
  end
  return {
    edition = room.edition,
    first = first,
    last = room.queued,
    refusal = refusal,
    voided = voided,
    joinedMs = room.claim_ms,
    serving = room.serving
  }
end

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
