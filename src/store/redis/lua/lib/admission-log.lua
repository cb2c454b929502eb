-- The admission log. key.admission_log: stream of rows, id 'seq-0', field 'r': a letter and the row's texts. What a letter
-- means is read in ../../log-rows.ts, and hashes go by it: another form of a row takes another letter. The twin of
-- memory/admission-log.ts.

-- So many numbers are skipped behind a loss: more than there can have been since anybody heard of the log.
local skipped_numbers = 100000
local via_letters = { queue = 'q', bypass = 'b', passthrough = 'p', idle = 'i', ended = 'e' }

local function is_logging()
  return (room.log_rows_max or 100000) > 0
end

local function push_row(letter, texts)
  set('log_last', room.log_last + 1)
  redis.call('XADD', key.admission_log, text_of(room.log_last) .. '-0', 'r',
    letter .. text_of(room.at_ms) .. texts)
end

-- Appends a row. `texts` begin with a colon, if there are any.
local function append_row(letter, texts)
  if room.log_last == 0 then push_row('b', ':' .. room.life) end
  push_row(letter, texts)
end

local function counts_text()
  return table.concat({
    text_of(room.count_joined), text_of(room.count_entered), text_of(room.count_passed),
    text_of(room.count_bypassed), text_of(room.count_no_shows), text_of(room.count_left),
  }, ':')
end

-- The counts, which are noted with this.
local function note_counts()
  set('log_counts', counts_text())
  set('log_counts_ms', room.flow_ms)
  return room.log_counts
end

-- Notes what is in force if it is another than was noted last.
local function log_situation()
  if not is_logging() then
    if room.log_noted == 'off' then return end
    if room.log_last > 0 then append_row('o', '') end
    set('log_noted', 'off')
    return
  end
  local text = table.concat({
    text_of(room.edition), phase_of(), phase_reason() or '', room.inlet_type, text_of(room.limit or ''),
    text_of(room.shared_limit or ''), text_of(room.max_active or ''),
  }, ':')
  if text == room.log_noted then return end
  set('log_noted', text)
  append_row('s', ':' .. text .. ':' .. note_counts())
end

-- Once a minute, if they have changed.
local function log_counts()
  if not is_logging() or room.flow_ms - room.log_counts_ms < 60000 then return end
  local before = room.log_counts
  if note_counts() ~= before then append_row('c', ':' .. room.log_counts) end
end

-- A new admission. `number`: of what the place was drawn, the same where it was not. `joined_ms` of the place, on the claim clock.
local function log_admission(place, number, via, joined_ms)
  if not is_logging() then return end
  log_situation()
  local wait_ms = place > 0 and text_of(math.max(0, room.claim_ms - joined_ms)) or ''
  local entry = place > 0 and number ~= place and text_of(number) or ''
  append_row('a', ':' .. text_of(room.edition) .. ':' .. text_of(place) .. ':' .. entry .. ':' .. wait_ms .. ':'
    .. via_letters[via] .. ':' .. text_of(room.flow_ms - room.at_ms))
end

local function log_increment(by)
  if not is_logging() then return end
  log_situation()
  append_row('i', ':' .. text_of(by) .. ':' .. text_of(room.serving))
end

-- What others remember of the log, in a recovery. Rows that are here up to the head that they know stay as they are.
local function merge_log(known)
  set('log_heard', math.max(room.log_heard, known.last, known.sealed.seq))
  if known.sealed.seq > math.max(room.log_last, room.log_sealed_seq) then
    set('log_sealed_seq', known.sealed.seq)
    set('log_sealed_hash', known.sealed.hash)
  end
end

-- The end of a recovery, of a log that anybody remembers.
local function log_recovery()
  local heard = math.max(room.log_last, room.log_heard)
  set('log_noted', '')
  set('log_heard', 0)
  if heard == 0 then return end
  local after = ':'
  if room.log_sealed_seq > room.log_last then
    after = text_of(room.log_sealed_seq) .. ':' .. room.log_sealed_hash
    if redis.call('XLEN', key.admission_log) == 0 then
      set('log_base_seq', room.log_sealed_seq)
      set('log_base_hash', room.log_sealed_hash)
    end
  end
  set('log_last', heard + skipped_numbers)
  append_row('r', ':' .. text_of(heard) .. ':' .. after .. ':' .. note_counts())
end
