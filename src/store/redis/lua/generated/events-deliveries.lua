-- Generated from src/core/events/deliveries.ts by `npm run lua`. Not to be edited.
-- Which process sends which events of a stream to a webhook. A cursor for each webhook says up to where they were accepted, and a lease of
-- 15 s whose turn it is: one process at a time, one event after the other. What is not accepted is tried again when its time has come, by
-- whichever process; those behind it wait, so that the order stays. Times are the store's; a clock that is set back holds nothing up
-- for longer than it was meant to.

local function first_number(rows)
  local first = rows[1]
  return first == nil and 0 or first.seq
end

local function has_missed_rows(turn, rows)
  local first = first_number(rows)
  if has_lost(turn.cursor, first) then
    return true
  end
  if turn.next > turn.cursor then
    return first ~= turn.next
  end
  if first == turn.cursor + 1 or count_log_rows(key.events) < 10000 then
    return false
  end
  return first_number(log_texts_behind(key.events, 0, 1)) == first
end

local function last_number(rows)
  local last = rows[1]
  return last == nil and 0 or last.seq
end

local function keep_letter(letter, now_ms)
  local seq = next_number(last_number(last_texts(key.dead_letters, 1)), now_ms)
  append_log_text(key.dead_letters, seq, letter)
  keep_last_texts(key.dead_letters, 1000)
end

local function number_part(parts, index)
  return number_of_text(parts[index + 1] or "0")
end

local function read_turn(turns, webhook)
  local text = read_text(turns, webhook)
  if text == nil then
    return nil
  end
  local parts = parts_of(text)
  return {
    cursor = number_part(parts, 0),
    attempts = number_part(parts, 1),
    nextMs = number_part(parts, 2),
    leaseMs = number_part(parts, 3),
    next = number_part(parts, 4),
    holder = parts[6] or ""
  }
end

local function write_turn(turns, webhook, turn)
  local times = (text_of(turn.nextMs) .. ":") .. text_of(turn.leaseMs)
  write_text(
    turns,
    webhook,
    (((((((text_of(turn.cursor) .. ":") .. text_of(turn.attempts)) .. ":") .. times) .. ":") .. text_of(turn.next)) .. ":") .. turn.holder
  )
end

--- Hands out the next events of a webhook, oldest first, and the lease with them. Writes nothing where there are none.
local function take_events(request, now_ms)
  local turn = read_turn(key.deliveries, request.webhook) or ({cursor = request.from, attempts = 0, nextMs = 0, leaseMs = 0, next = 0, holder = ""})
  local cursor = turn.cursor
  local lease_left_ms = math.min(15000, turn.leaseMs - now_ms)
  if turn.holder ~= "" and turn.holder ~= request.holder and lease_left_ms > 0 then
    return {
      result = "busy",
      rows = {},
      attempts = turn.attempts,
      waitMs = lease_left_ms,
      cursor = cursor,
      hasMissed = false
    }
  end
  local rows = log_texts_behind(key.events, cursor, request.limit)
  if #rows == 0 then
    return {
      result = "done",
      rows = rows,
      attempts = 0,
      waitMs = 0,
      cursor = cursor,
      hasMissed = false
    }
  end
  local wait_ms = math.min(3600000, turn.nextMs - now_ms)
  if wait_ms > 0 then
    return {
      result = "waiting",
      rows = {},
      attempts = turn.attempts,
      waitMs = wait_ms,
      cursor = cursor,
      hasMissed = false
    }
  end
  turn.holder = request.holder
  turn.leaseMs = now_ms + 15000
  local has_missed = has_missed_rows(turn, rows)
  if not has_missed then
    turn.next = first_number(rows)
  end
  write_turn(key.deliveries, request.webhook, turn)
  return {
    result = "taken",
    rows = rows,
    attempts = turn.attempts,
    waitMs = 0,
    cursor = cursor,
    hasMissed = has_missed
  }
end

--- Notes what became of the event in front. Answers whether the caller still had the lease.
local function settle_event(webhook, holder, settlement, now_ms)
  local turn = read_turn(key.deliveries, webhook)
  if turn == nil or turn.holder ~= holder then
    return false
  end
  if settlement.outcome == "released" then
    turn.holder = ""
  elseif settlement.outcome == "failed" then
    turn.attempts = turn.attempts + 1
    turn.nextMs = now_ms + settlement.retryMs
    turn.holder = ""
  else
    if settlement.outcome == "given_up" then
      keep_letter(settlement.letter, now_ms)
    end
    turn.cursor = math.max(turn.cursor, settlement.through)
    turn.attempts = 0
    turn.nextMs = 0
    turn.leaseMs = now_ms + 15000
  end
  write_turn(key.deliveries, webhook, turn)
  return true
end

local function read_letters(after, limit)
  return log_texts_behind(key.dead_letters, after, limit)
end

local function remove_letter(seq)
  return remove_text(key.dead_letters, seq)
end

local function forget_turn(webhook)
  forget_text(key.deliveries, webhook)
end

--- Tells events of the installation. Of a source that each process may tell of, those up to the last version that was told are
-- no news; and a row that is here already is none, such as one that a process brings back after a loss.
local function publish_others(request, now_ms)
  local source = request.source
  local memory = request.memory
  local mark = "told " .. (source or "")
  local reported_version = source == nil and 0 or number_of_text(read_text(key.deliveries, mark) or "0")
  local last = last_number(last_texts(key.events, 1))
  local version = reported_version
  local existing = {}
  for _, row in ipairs(last_texts(key.events, 1000)) do
    existing[#existing + 1] = event_row_of(row.text)
  end
  if memory ~= nil then
    if memory.from ~= nil then
      record_loss(last, memory.from)
    end
    last = math.max(last, memory.last)
  end
  local first = request.rows[1]
  if request.isCut and first ~= nil and first.version > reported_version then
    record_loss(last, last + 1)
    last = last + 1
  end
  for _, row in ipairs(request.rows) do
    if source == nil or row.version > reported_version then
      version = math.max(version, row.version)
      if not is_in_list(existing, row.text) then
        existing[#existing + 1] = row.text
        last = next_number(last, now_ms)
        append_log_text(key.events, last, row.text)
      end
    end
  end
  if source ~= nil and version > reported_version then
    write_text(key.deliveries, mark, text_of(version))
  end
  keep_last_texts(key.events, 10000)
end

--- Events behind a number, oldest first.
local function read_event_texts(after, limit)
  return {
    last = last_number(last_texts(key.events, 1)),
    rows = log_texts_behind(key.events, after, limit)
  }
end

--- Events before a number, the latest first.
local function read_events_before(before, limit)
  return log_texts_before(key.events, before, limit)
end
