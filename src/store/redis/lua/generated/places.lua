-- Generated from src/core/places.ts by `npm run lua`. Not to be edited.
-- Whose a place is: joins give places, to anybody or one to each key; leaving ends one; a link moves one to another visitor.
-- Joins take consecutive positions, and serve those that need not wait. `maxWaiting` bounds the waiting ones: places that are open or served
-- at once do not count. Leaving voids a place for the rest of its edition.
-- Keys have one place each, in rooms that are entered by invitation or identity. Of a key the store knows a name, which is made of it
-- (room/tickets/visitor-key.ts), and the number of its place. A key gets another place when its own is over: it was left, was not
-- claimed in time, or its admission has ended.
-- A place has one holder. It is moved by a link that is used once, and what is moved last is remembered.

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

local function better_score(one, other)
  local is_one_again = one ~= math.floor(one)
  if is_one_again ~= (other ~= math.floor(other)) then
    return is_one_again and one or other
  end
  return is_one_again and math.max(one, other) or math.min(one, other)
end

local function merge_key(name, score)
  local existing = score_of(key.keyed_places, name)
  if existing == nil then
    if size_of(key.keyed_places) < 2000000 then
      set_score(key.keyed_places, name, score)
    end
    return
  end
  local better = better_score(existing, score)
  if better ~= existing then
    set_score(key.keyed_places, name, better)
  end
end

local function position_of(number, supplied)
  if supplied == nil or number_of(supplied) ~= number then
    return is_placed(number, nil) and number or 0
  end
  return is_placed(number, draw_id_of(supplied)) and supplied.position or 0
end

local function joined_ms_of(number, supplied)
  local position = position_of(number, supplied)
  if position == 0 or position > room.serving then
    return room.claim_ms
  end
  return math.max(served_at(position), room.claim_ms - room.claim_within_ms)
end

local function places_of(request, found, first, last)
  local places = {}
  local next = first
  for _, key_join in ipairs(request.keys) do
    local match = found[#places + 1]
    if match == nil then
      return places
    end
    local number = match.number
    local joined_ms = room.claim_ms
    local is_again = match.score ~= nil
    if number > 0 then
      is_again = match.score ~= nil and match.score ~= number
      joined_ms = joined_ms_of(number, key_join.place or nil)
      if match.score == nil then
        set_score(key.keyed_places, match.name, number)
      end
    elseif next <= last then
      number = next
      next = next + 1
      set_score(key.keyed_places, match.name, is_again and number + 0.5 or number)
    end
    places[#places + 1] = {name = match.name, number = number, isAgain = is_again, joinedMs = joined_ms}
  end
  return places
end

--- Whether the place was moved to somebody else.
local function is_elsewhere(number, sub)
  local holder = read_record(key.holders, number)
  return holder ~= nil and holder.sub ~= sub
end

--- Whether the place was claimed, or its turn is past because the visitor was admitted with a higher one.
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

--- What others remember of an edition.
--
-- @param queued their queue counter
local function merge_keys(edition, queued, keys)
  if edition ~= room.edition then
    return
  end
  for _, one in ipairs(keys) do
    if one.number <= queued then
      merge_key(one.name, one.isAgain and one.number + 0.5 or one.number)
    end
  end
end

--- Those with a number behind `after`, lowest first.
local function list_keys(after, limit)
  local keys = {}
  for _, found in ipairs(scores_between(key.keyed_places, after + 1, room.queued + 0.5, limit)) do
    local number = math.floor(found.score)
    keys[#keys + 1] = {name = found.member, number = number, isAgain = found.score ~= number}
  end
  return {edition = room.edition, keys = keys}
end

--- Whether nobody can enter by the place any more. Of one that was drawn, or will be, only where the position is known.
--
-- @param supplied the place as the caller knows it; null for none
local function is_place_over(number, supplied, sub, record)
  if has_position(key.used_entries, number) then
    return true
  end
  local position = position_of(number, supplied)
  if position == 0 then
    return false
  end
  if has_position(key.left_places, position) then
    return true
  end
  if was_claimed(position, number, sub, record) then
    return record == nil or not is_live(record)
  end
  return position <= room.serving and has_expired(position, 0)
end

--- The number of the place that a live admission of this edition was given for; 0 where there is none.
local function admitted_number(record)
  if record == nil or not is_live(record) or record.edition ~= room.edition then
    return 0
  end
  local entry = record.entry or nil
  return entry == nil and record.position or entry.number
end

--- By which of its names a key has a place, or a live admission: of an earlier edition, or of one whose keys were lost. Else the first.
local function name_of_key(key_join, prefix)
  for _, name in ipairs(key_join.names) do
    if score_of(key.keyed_places, name) ~= nil then
      return name
    end
  end
  for _, name in ipairs(key_join.names) do
    local record = current_record(prefix .. name)
    if record ~= nil and is_live(record) then
      return name
    end
  end
  for _, name in ipairs(key_join.names) do
    return name
  end
  return ""
end

local function find_key(key_join, prefix)
  local name = name_of_key(key_join, prefix)
  local score = score_of(key.keyed_places, name)
  local sub = prefix .. name
  local record = current_record(sub)
  local number = score == nil and admitted_number(record) or math.floor(score)
  local is_good = number > 0 and not is_place_over(number, key_join.place or nil, sub, record)
  return {name = name, number = is_good and number or 0, score = score}
end

--- Gives each key its place: the one that it has, or the next. Null as `join` answers it.
local function join_keys(request)
  local found = {}
  local wanted = 0
  local unknown = 0
  for _, key_join in ipairs(request.keys) do
    local match = find_key(key_join, request.prefix)
    found[#found + 1] = match
    if match.number == 0 then
      wanted = wanted + 1
    end
    if match.score == nil then
      unknown = unknown + 1
    end
  end
  local is_full = unknown > 0 and size_of(key.keyed_places) + unknown > 2000000
  local range = join(is_full and 0 or wanted, "")
  if range == nil then
    return nil
  end
  return {
    edition = range.edition,
    first = range.first,
    last = range.last,
    refusal = is_full and range.refusal == nil and "full" or range.refusal,
    voided = range.voided,
    joinedMs = range.joinedMs,
    serving = range.serving,
    places = places_of(request, found, range.first, range.last)
  }
end

--- Whether the visitor may claim the place: it is the one of the key, or none is known, and then this is it. Without a key always.
local function is_place_of_key(request)
  local name = request.key or nil
  if name == nil then
    return true
  end
  local number = number_of(request)
  if number > room.queued and number > room.serving then
    return true
  end
  local score = score_of(key.keyed_places, name)
  if score == nil then
    if size_of(key.keyed_places) < 2000000 then
      set_score(key.keyed_places, name, number)
    end
    return true
  end
  return math.floor(score) == number
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
