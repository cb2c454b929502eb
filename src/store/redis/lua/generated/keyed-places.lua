-- Generated from src/core/keyed-places.ts by `npm run lua`. Not to be edited.
-- One place for each key, in rooms that are entered by invitation or identity. Of a key the store knows a name, which is made of it
-- (room/tickets/visitor-key.ts), and the number of its place. A key gets another place when its own is over: it was left, was not
-- claimed in time, or its admission has ended.

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
