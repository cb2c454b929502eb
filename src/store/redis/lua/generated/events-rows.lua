-- Generated from src/core/events/rows.ts by `npm run lua`. Not to be edited.
-- The events of a room: a stream of rows that is bounded, in which each change is told in the script that makes it. So it is told once, however
-- many processes look on, and none of them can lose it.
-- A row is a letter, when, and the row's texts behind colons; ports/event-rows.ts reads them. Its number is its id: no less than ten
-- times the milliseconds of its time, so that numbers go on behind a loss, and have the 14 digits that JSON keeps in Lua. A row that a process brings back when later ones
-- are there already has a number of its own, and names its id: `@ID:ROW`.

local function stored_ids(rows)
  local oldest = rows[1]
  if oldest == nil or oldest.seq > room.event_last then
    return {}
  end
  local ids = {}
  for _, row in ipairs(log_texts_behind(key.events, oldest.seq - 1, 1000)) do
    ids[#ids + 1] = event_id_of(row.seq, row.text)
  end
  return ids
end

--- The next number: of a room that was quiet, the time.
local function next_number(last, now_ms)
  return math.max(last + 1, now_ms * 10)
end

--- Tells an event of now.
--
-- @param texts begin with a colon, if there are any
local function publish_event(letter, texts)
  set("event_last", next_number(room.event_last, room.at_ms))
  append_log_text(key.events, room.event_last, (letter .. text_of(room.at_ms)) .. texts)
end

--- A new admission.
--
-- @param via see `AdmittedVia`
local function publish_admission(sub, position, via)
  publish_event(
    "a",
    ((((((":" .. text_of(room.edition)) .. ":") .. text_of(position)) .. ":") .. via) .. ":") .. sub
  )
end

--- Forgets the oldest.
local function bound_events()
  if count_log_rows(key.events) > 10000 then
    keep_last_texts(key.events, 10000)
  end
end

--- What a process has seen of the events, in a recovery or behind one: what is missing is told again, under its id.
local function merge_events(memory)
  local is_ahead = memory.last > room.event_last
  local existing = stored_ids(memory.rows)
  if memory.from ~= nil then
    record_loss(room.event_last, memory.from)
  end
  for _, row in ipairs(memory.rows) do
    if row.seq > room.event_last then
      set("event_last", row.seq)
      append_log_text(key.events, row.seq, row.text)
    elseif not is_in_list(existing, event_id_of(row.seq, row.text)) then
      set("event_last", next_number(room.event_last, room.at_ms))
      local text = (("@" .. text_of(event_id_of(row.seq, row.text))) .. ":") .. event_row_of(row.text)
      append_log_text(key.events, room.event_last, text)
    end
  end
  if not is_ahead then
    return
  end
  set("event_last", math.max(room.event_last, memory.last))
  set("told", memory.told)
  set("told_draws", memory.toldDraws)
end

--- What a process takes of the events with the state.
--
-- @param after see `RoomStore.tick`
local function events_for(after)
  if after == nil then
    return {}
  end
  if after < 0 then
    return last_texts(key.events, 100)
  end
  return room.event_last > after and log_texts_behind(key.events, after, 100) or ({})
end
