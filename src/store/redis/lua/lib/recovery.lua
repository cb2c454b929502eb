-- The end of a recovery. The twin of memory/recovery.ts.

-- Lives of one run count up by the time; those of other runs cannot be compared.
local function time_of_life(life)
  local seconds, micros = string.match(life, '%.(%d+)%.(%d+)$')
  return seconds and seconds * 1000000 + micros or 0
end

-- Whether the caller has seen a later state of the room than this, under the same run of the server.
local function is_put_back()
  if room.life ~= arg.life then return time_of_life(room.life) < time_of_life(arg.life) end
  local edition = tonumber(arg.seen_edition)
  if room.flow_ms < tonumber(arg.seen_flow_ms) or room.edition < edition then return true end
  return room.edition == edition and room.queued < tonumber(arg.seen_queued)
end

-- Joins in the busiest second of the last ten, or the peak others remembered while that still matters.
local function join_peak()
  local peak = 0
  local oldest = math.floor(room.flow_ms / 1000) - 10
  for _, second in ipairs(room.join_seconds) do
    if second[1] > oldest then peak = math.max(peak, second[2]) end
  end
  if room.recovering_until_ms > 0 or is_forgotten() then peak = math.max(peak, room.join_peak) end
  return peak
end

-- Who stands in a gap has shown the ticket by now, and it is skipped for nothing from here on. What was served of it
-- meanwhile is served behind it.
local function settle_gaps()
  local from = room.unsettled_from
  set('unsettled_from', 0)
  set('settles_ms', 0)
  if from == 0 or room.serving < from then return end
  local served = move_over(room.gaps, from - 1, room.serving - from + 1)
  if served <= room.serving then return end
  set('serving', served)
  add_advance()
end

local function settle_due_gaps()
  if room.settles_ms > 0 and room.flow_ms >= room.settles_ms then settle_gaps() end
end

-- Nobody gets the positions up to `to` any more. Open places stay open behind them; else they are a gap that is not settled.
local function skip_to(to)
  if room.serving > room.queued then settle_gaps() end
  -- Of a draw to come, the gap will be behind the entries, whoever is served already.
  local is_drawn = first_coming() > 0
  local open = is_drawn and 0 or math.max(0, room.serving - room.queued)
  local from = room.queued + 1
  local gaps = { { from, to } }
  for _, gap in ipairs(room.gaps) do gaps[#gaps + 1] = gap end
  set('gaps', normalize_gaps(gaps))
  set('queued', to)
  if open > 0 then set('serving', to + open)
  elseif not is_drawn and (is_limited() or room.inlet_type ~= 'max_active') then
    set('unsettled_from', room.unsettled_from == 0 and from or math.min(room.unsettled_from, from))
    -- Every waiting page has asked by then; and no inlet that a limit holds after a recovery serves before.
    set('settles_ms', room.flow_ms + 55000)
  end
end

-- Skips the positions that may have been handed out unseen.
local function place_gap()
  skip_to(room.queued + math.max(1000, 5 * join_peak()))
end

-- Opens a room for which no ticket can exist, as if it were made now: no gap, no hold.
local function open_new_room()
  set('claim_ms', room.flow_ms)
  set('born_ms', room.flow_ms)
  set('edition', math.floor(room.at_ms / 1000))
  set('base_phase', phase_by_schedule())
  set('schedule_mark_ms', last_schedule_time())
  set('holds', {})
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
