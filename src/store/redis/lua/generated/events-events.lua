-- Generated from src/core/events/events.ts by `npm run lua`. Not to be edited.
-- The events of a room: a bounded stream of rows. The script that makes a change also publishes its event, so each event is published once
-- however many processes look on, and no process can lose it.
-- A row is a letter, the time, and the row's texts after colons; ports/reports.ts reads them. Its number is its id. It is at least ten times
-- the milliseconds of its time, so that numbers keep growing after a loss, and has at most the 14 digits that JSON in Lua preserves. When a
-- process restores a row and later rows exist already, the row gets a new number and names its id: `@ID:ROW`.

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

local losses_name = "lost events"

local function read_losses()
  local losses = {}
  local text = read_text(key.deliveries, losses_name)
  if text == nil or text == "" then
    return losses
  end
  local after = -1
  for _, part in ipairs(parts_of(text)) do
    local number = number_of_text(part)
    if after < 0 then
      after = number
    else
      losses[#losses + 1] = {after = after, through = number}
      after = -1
    end
  end
  return losses
end

local function with_loss(text, after, through)
  return (((text .. (text == "" and "" or ":")) .. text_of(after)) .. ":") .. text_of(through)
end

--- Notes what is lost between the room's last event and the memory of a process. What an earlier process reported as lost, this one may
-- still have: then the latest loss shrinks.
--
-- @param last number of the room's last event
-- @param from the process remembers all events with a higher number
local function record_loss(last, from)
  local losses = read_losses()
  local text = ""
  local index = 0
  for _, loss in ipairs(losses) do
    index = index + 1
    local up_to = index == #losses and math.min(loss.through, from) or loss.through
    if up_to > loss.after and index > #losses - 5 then
      text = with_loss(text, loss.after, up_to)
    end
  end
  if from > last then
    text = with_loss(text, last, from)
  end
  if text ~= "" or #losses > 0 then
    write_text(key.deliveries, losses_name, text)
  end
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

--- A room that is full, as was told.
local published_full = -1

--- Phase, its reason, edition, and each hold.
local function situation_of()
  local text = (((phase_of() .. ":") .. (phase_reason() or "")) .. ":") .. text_of(room.edition)
  for _, hold in ipairs(hold_order) do
    text = (text .. ":") .. (has_hold(hold) and "1" or "0")
  end
  return text
end

local function publish_situation()
  set("told_version", room.version)
  local before = room.told
  local situation = situation_of()
  if situation == before then
    return
  end
  set("told", situation)
  local is_first = before == ""
  local old = parts_of(is_first and "::0:0:0:0:0:0:0" or before)
  local now = parts_of(situation)
  local edition = now[3] or ""
  if not is_first and edition ~= old[3] then
    publish_event("e", ((":" .. edition) .. ":") .. (old[3] or ""))
  end
  local index = 3
  for _, hold in ipairs(hold_order) do
    if now[index + 1] ~= old[index + 1] then
      if hold == "sold_out" then
        publish_event("o", ((":" .. (now[index + 1] or "")) .. ":") .. (room.has_returns and "1" or "0"))
      else
        publish_event("h", ((":" .. hold) .. ":") .. (now[index + 1] or ""))
      end
    end
    index = index + 1
  end
  local phase = ((now[1] or "") .. ":") .. (now[2] or "")
  local old_phase = ((old[1] or "") .. ":") .. (old[2] or "")
  if phase ~= old_phase then
    publish_event("p", ((((":" .. edition) .. ":") .. phase) .. ":") .. old_phase)
  end
end

local function publish_draws()
  if #room.draw_marks == 0 and room.told_draws == "" then
    return
  end
  local marks = ""
  for _, draw in ipairs(room.draws) do
    if draw.commitment ~= "" then
      marks = (((((marks .. ":") .. text_of(room.edition)) .. ".") .. text_of(draw.id)) .. ".") .. draw.stage
    end
  end
  if marks == room.told_draws then
    return
  end
  local published_marks = parts_of(room.told_draws)
  set("told_draws", marks)
  for _, draw in ipairs(room.draws) do
    local mark = (((text_of(room.edition) .. ".") .. text_of(draw.id)) .. ".") .. draw.stage
    if draw.commitment ~= "" and not is_in_list(published_marks, mark) then
      local what = ((((((((":" .. text_of(room.edition)) .. ":") .. text_of(draw.id)) .. ":") .. draw.stage) .. ":") .. text_of(draw.first)) .. ":") .. text_of(draw.last)
      publish_event("d", (((what .. ":") .. draw.commitment) .. ":") .. draw.seed)
    end
  end
end

--- Tells what has changed of what is in force. In a forgotten room nothing raises the version.
local function publish_changes()
  if room.version == 0 or room.version ~= room.told_version then
    publish_situation()
  end
  publish_draws()
end

--- Settings that were replaced.
--
-- @param before as JSON, as is `after`
local function publish_settings(before, after)
  if not are_same_settings(before, after) then
    publish_event("s", ((((":" .. text_of(room.version)) .. ":") .. before) .. "\n") .. after)
  end
end

--- A recovery is over, of a room that was not made just now.
local function publish_recovery()
  publish_event("r", ((":" .. text_of(room.queued)) .. ":") .. text_of(room.serving))
end

--- A join was refused since the room is full, for the first time; or there are places again.
local function publish_full()
  if room.full_ms == 0 then
    return
  end
  if room.full_ms > 0 then
    publish_event("f", ":1")
  end
  set("full_ms", published_full)
  if room.max_waiting ~= nil and people_waiting() >= room.max_waiting then
    return
  end
  publish_event("f", ":0")
  set("full_ms", 0)
end

--- At the end of a minute: whether many were refused a place in it, when that is not what was told last.
--
-- @param rate refused because so many had come from their address just now
-- @param entries refused because their address had taken all of its entries
-- @param network refused by a rule for addresses
local function publish_refusals(joined, rate, entries, network)
  local refused = rate + entries + network
  local is_refusing = refused >= 50 and refused >= 0.05 * (joined + refused)
  if is_refusing == room.stat_is_refusing then
    return
  end
  set("stat_is_refusing", is_refusing)
  local counts = (((((text_of(joined) .. ":") .. text_of(rate)) .. ":") .. text_of(entries)) .. ":") .. text_of(network)
  publish_event("b", ((":" .. (is_refusing and "1" or "0")) .. ":") .. counts)
end

local function publish_figures()
  local line = (((text_of(room.queued) .. ":") .. text_of(room.serving)) .. ":") .. text_of(people_waiting())
  local near = (text_of(math.floor(people_at_door() + 0.5)) .. ":") .. text_of(absent_places())
  local flow = (text_of(math.floor(measured_outflow() * 10 + 0.5) / 10) .. ":") .. (room.limit == nil and "" or text_of(room.limit))
  local counts = {
    joined = room.count_joined,
    entered = room.count_entered,
    passed = room.count_passed,
    bypassed = room.count_bypassed,
    completed = room.count_completed,
    abandoned = room.count_abandoned,
    loggedOut = room.count_logged_out,
    revoked = room.count_revoked,
    expired = room.count_expired,
    noShows = room.count_no_shows,
    left = room.count_left
  }
  local ways = (((((text_of(counts.joined) .. ":") .. text_of(counts.entered)) .. ":") .. text_of(counts.passed)) .. ":") .. text_of(counts.bypassed)
  local lost = (text_of(counts.noShows) .. ":") .. text_of(counts.left)
  local place = (text_of(room.edition) .. ":") .. phase_of()
  publish_event(
    "m",
    ((((((((((((":" .. place) .. ":") .. line) .. ":") .. near) .. ":") .. text_of(live_count())) .. ":") .. flow) .. ":") .. ways) .. ":") .. lost
  )
end

local function publish_sealed()
  if room.log_sealed_seq <= room.told_sealed_seq then
    return
  end
  set("told_sealed_seq", room.log_sealed_seq)
  publish_event("l", ((":" .. text_of(room.log_sealed_seq)) .. ":") .. room.log_sealed_hash)
end

--- What a tick tells, besides: changes of each second, and once a minute the figures and the head of the log.
local function publish_news()
  publish_changes()
  publish_full()
  if room.flow_ms - room.figures_ms < 60000 then
    return
  end
  set("figures_ms", room.flow_ms)
  publish_figures()
  publish_sealed()
  bound_events()
end

--- Whether events between a cursor and the first one behind it are lost.
local function has_lost(cursor, first)
  for _, loss in ipairs(read_losses()) do
    if cursor < loss.through and first > loss.through then
      return true
    end
  end
  return false
end
