-- Generated from src/core/statistics/presence.ts by `npm run lua`. Not to be edited.
-- How many visitors have the page open: a known share of the pages says so once a minute, and the store counts those of a minute without
-- keeping any of them. The share is such that few thousand do, however many wait: pages are asked as soon as the share is known to them,
-- and a smaller share is in force at once, so that a crowd never asks at its full size.

local function last_count()
  local pages = room.presence_pages
  if pages == 0 then
    return nil
  end
  return {
    pages = pages - 1,
    shift = room.presence_pages_shift,
    atMs = room.presence_minute * 60000
  }
end

--- Those who may have the page open.
local function audience()
  return people_waiting() + absent_places() + size_of(key.pending_claims)
end

--- The least shift from `least` on with which no more than so many are in the sample.
local function shift_for(people, most, least)
  local shift = least
  local sampled = people
  local halved = 0
  while halved < least do
    sampled = sampled / 2
    halved = halved + 1
  end
  while sampled > most do
    sampled = sampled / 2
    shift = shift + 1
  end
  return shift
end

--- A crowd that has grown: fewer are asked from now on. What this minute has counted until now is of another share.
local function bound_sample()
  local people = audience()
  local shift = room.presence_shift
  if shift_for(people, 16384, shift) == shift then
    return
  end
  set("presence_shift", shift_for(people, 8192, shift))
  set("presence_counted_shift", math.max(room.presence_counted_shift, room.presence_shift))
  set("presence_is_mixed", true)
end

--- A crowd that has become smaller.
local function widen_sample(minute)
  local people = audience()
  local shift = room.presence_shift
  if shift > 0 and shift_for(people, 2048, 0) < shift then
    set("presence_shift", shift_for(people, 8192, 0))
    set("presence_widened_minute", minute)
  end
  local is_learnt = minute - room.presence_widened_minute >= 4 or minute < room.presence_widened_minute
  if is_learnt then
    set("presence_counted_shift", room.presence_shift)
  end
end

--- Pages of the sample that were open in this minute.
local function record_pages(positions)
  if #positions > 0 then
    add_numbers(key.open_pages, positions)
  end
end

--- The end of a minute: what it has counted, of one in 2^`countedShift` pages, and one more; 0 where that is not known. Begins the next.
--
-- @param isWhole whether it was recorded from beginning to end
-- @param next the minute that begins
local function count_pages(is_whole, next)
  local pages = count_numbers(key.open_pages)
  local counted = is_whole and not room.presence_is_mixed and pages + 1 or 0
  set("presence_pages", counted)
  set("presence_pages_shift", room.presence_counted_shift)
  set("presence_minute", next)
  if pages > 0 then
    clear_numbers(key.open_pages)
  end
  set("presence_is_mixed", false)
  widen_sample(next)
  return counted
end

--- Nobody knows what this minute has counted until now.
local function forget_pages()
  clear_numbers(key.open_pages)
  set("presence_pages", 0)
  set("presence_is_mixed", true)
end

local function presence_of()
  return {
    shift = room.presence_shift,
    countedShift = room.presence_counted_shift,
    counted = last_count()
  }
end
