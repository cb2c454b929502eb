-- Generated from src/core/admission-log.ts by `npm run lua`. Not to be edited.
-- The admission log. Each new admission appends a row, and what the account needs besides has rows of its own: a claim and a tick first
-- note what is in force, if that has changed. Numbers are used once: behind a loss the log goes on beyond what is remembered.
-- A row is a letter, when, and the row's texts behind colons. What a letter means is read in ports/log-rows.ts, and hashes go by it:
-- another form of a row takes another letter.

local function is_logging()
  return room.log_rows_max > 0
end

local function via_letter(via)
  if via == "queue" then
    return "q"
  end
  if via == "bypass" then
    return "b"
  end
  if via == "passthrough" then
    return "p"
  end
  return via == "idle" and "i" or "e"
end

local function text_or_none(value)
  return value == nil and "" or text_of(value)
end

local function push_row(letter, texts)
  set("log_last", room.log_last + 1)
  append_log_text(key.admission_log, room.log_last, (letter .. text_of(room.at_ms)) .. texts)
end

--- Appends a row. `texts` begin with a colon, if there are any.
local function append_row_text(letter, texts)
  if room.log_last == 0 then
    push_row("b", ":" .. room.incarnation)
  end
  push_row(letter, texts)
end

--- The counts, which are noted with this.
local function record_counts()
  local admitted = (((text_of(room.count_entered) .. ":") .. text_of(room.count_passed)) .. ":") .. text_of(room.count_bypassed)
  local unused = (text_of(room.count_no_shows) .. ":") .. text_of(room.count_left)
  local counts = (((text_of(room.count_joined) .. ":") .. admitted) .. ":") .. unused
  set("log_counts", counts)
  set("log_counts_ms", room.flow_ms)
  return counts
end

--- Notes what is in force if it is another than was noted last.
local function log_situation()
  if not is_logging() then
    if room.log_noted == "off" then
      return
    end
    if room.log_last > 0 then
      append_row_text("o", "")
    end
    set("log_noted", "off")
    return
  end
  local place = (((text_of(room.edition) .. ":") .. phase_of()) .. ":") .. (phase_reason() or "")
  local limits = (((text_or_none(room.limit) .. ":") .. text_or_none(room.shared_limit)) .. ":") .. text_or_none(room.max_active)
  local situation = (((place .. ":") .. room.inlet_type) .. ":") .. limits
  if situation == room.log_noted then
    return
  end
  set("log_noted", situation)
  append_row_text("s", ((":" .. situation) .. ":") .. record_counts())
end

--- Once a minute, if they have changed.
local function log_counts()
  if not is_logging() or room.flow_ms - room.log_counts_ms < 60000 then
    return
  end
  local before = room.log_counts
  local counts = record_counts()
  if counts ~= before then
    append_row_text("c", ":" .. counts)
  end
end

--- A new admission.
--
-- @param number of what the place was drawn, the same where it was not
-- @param joinedMs of the place, on the claim clock
local function log_admission(place, number, via, joined_ms)
  if not is_logging() then
    return
  end
  log_situation()
  local wait_ms = place > 0 and text_of(math.max(0, room.claim_ms - joined_ms)) or ""
  local entry = place > 0 and number ~= place and text_of(number) or ""
  local texts = ((((((((":" .. text_of(room.edition)) .. ":") .. text_of(place)) .. ":") .. entry) .. ":") .. wait_ms) .. ":") .. via_letter(via)
  append_row_text("a", (texts .. ":") .. text_of(room.flow_ms - room.at_ms))
end

local function log_increment(by)
  if not is_logging() then
    return
  end
  log_situation()
  append_row_text("i", ((":" .. text_of(by)) .. ":") .. text_of(room.serving))
end

--- What others remember of the log, in a recovery. Rows that are here up to the head that they know stay as they are.
local function merge_log(last, sealed_seq, sealed_hash)
  set("log_remembered", math.max(room.log_remembered, last, sealed_seq))
  if sealed_seq <= math.max(room.log_last, room.log_sealed_seq) then
    return
  end
  set("log_sealed_seq", sealed_seq)
  set("log_sealed_hash", sealed_hash)
end

--- The end of a recovery, of a log that anybody remembers.
local function log_recovery()
  local remembered = math.max(room.log_last, room.log_remembered)
  set("log_noted", "")
  set("log_remembered", 0)
  if remembered == 0 then
    return
  end
  local after = ":"
  if room.log_sealed_seq > room.log_last then
    after = (text_of(room.log_sealed_seq) .. ":") .. room.log_sealed_hash
    if count_log_rows(key.admission_log) == 0 then
      set("log_base_seq", room.log_sealed_seq)
      set("log_base_hash", room.log_sealed_hash)
    end
  end
  set("log_last", remembered + 100000)
  append_row_text("r", ((((":" .. text_of(remembered)) .. ":") .. after) .. ":") .. record_counts())
end

--- Rows behind a number, oldest first.
local function read_log_texts(after, limit)
  return {
    last = room.log_last,
    sealed = {seq = room.log_sealed_seq, hash = room.log_sealed_hash},
    base = {seq = room.log_base_seq, hash = room.log_base_hash},
    count = count_log_rows(key.admission_log),
    rows = log_texts_behind(key.admission_log, after, limit)
  }
end

--- Moves a mark on, if it still stands where the caller saw it: base <= sealed <= the last row, so what is forgotten was sealed.
-- Answers whether it did.
local function move_log_mark(mark, from, to)
  local is_sealed = mark == "sealed"
  local seq = is_sealed and room.log_sealed_seq or room.log_base_seq
  local hash = is_sealed and room.log_sealed_hash or room.log_base_hash
  local most = is_sealed and room.log_last or room.log_sealed_seq
  if seq ~= from.seq or hash ~= from.hash or to.seq <= from.seq or to.seq > most then
    return false
  end
  if is_sealed then
    set("log_sealed_seq", to.seq)
    set("log_sealed_hash", to.hash)
  else
    set("log_base_seq", to.seq)
    set("log_base_hash", to.hash)
    drop_log_texts(key.admission_log, to.seq)
  end
  return true
end
