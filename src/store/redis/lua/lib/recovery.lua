-- The end of a recovery. The twin of memory/recovery.ts.

-- Joins in the busiest second of the last ten, or the peak others remembered while that still matters.
local function join_peak()
  local peak = 0
  local oldest = math.floor(room.flow_ms / 1000) - 10
  for _, second in ipairs(decode_list(room.join_seconds)) do
    if second[1] > oldest then peak = math.max(peak, second[2]) end
  end
  if room.recovering_until_ms > 0 or is_forgotten() then peak = math.max(peak, room.join_peak) end
  return peak
end

-- Skips the positions that may have been handed out unseen. Open places stay open behind the gap.
local function place_gap()
  -- Of a draw to come, the gap will be behind the entries, whoever is served already.
  local open = first_coming() > 0 and 0 or math.max(0, room.serving - room.queued)
  local from = room.queued + 1
  set('queued', room.queued + math.max(1000, 5 * join_peak()))
  set('recovery_gap_from', from)
  set('recovery_gap_to', room.queued)
  local gaps = decode_list(room.gaps)
  gaps[#gaps + 1] = { from, room.queued }
  set('gaps', encode_list(normalize_gaps(gaps)))
  if open > 0 then set('serving', room.queued + open) end
end

-- Opens a room for which no ticket can exist, as if it were made now: no gap, no hold.
local function open_new_room()
  set('claim_ms', room.flow_ms)
  set('born_ms', room.flow_ms)
  set('edition', math.floor(room.at_ms / 1000))
  local phase, mark_ms = phase_by_schedule()
  set('base_phase', phase)
  set('schedule_mark_ms', mark_ms)
  set('holds', '')
  set('version', 1)
end

-- Ends recovery when its time is over.
local function finish_recovery()
  if room.recovering_until_ms == 0 or room.flow_ms < room.recovering_until_ms then return end
  local is_new = room.is_new == 1 and room.remembered == 0
  if is_new then open_new_room()
  elseif not is_forgotten() then place_gap() end
  set('recovering_until_ms', 0)
  set('life_started_ms', room.at_ms)
  set('hold_until_ms', is_new and 0 or room.flow_ms + 60000)
  redis.call('DEL', key.rows)
  set('serving_high', room.serving)
  if room.serving > 0 then add_advance() end
  if room.pending_file ~= '' then apply_file_settings(room.pending_file) end
  set('pending_file', '')
  raise_ghosts()
  if is_new then follow_phase()
  elseif not is_forgotten() then resume_draws() end
  log_recovery()
end
