-- The end of a recovery. The twin of memory/recovery.ts.

-- Lives of one run count up by the time; those of other runs cannot be compared.
local function time_of_incarnation(incarnation)
  local seconds, micros = string.match(incarnation, '%.(%d+)%.(%d+)$')
  return seconds and seconds * 1000000 + micros or 0
end

-- Whether the caller has seen a later state of the room than this, under the same run of the server.
local function is_put_back()
  if room.incarnation ~= arg.incarnation then return time_of_incarnation(room.incarnation) < time_of_incarnation(arg.incarnation) end
  local edition = tonumber(arg.seen_edition)
  if room.flow_ms < tonumber(arg.seen_flow_ms) or room.edition < edition then return true end
  return room.edition == edition and room.queued < tonumber(arg.seen_queued)
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
  set('incarnation_started_ms', room.at_ms)
  set('hold_until_ms', is_new and 0 or room.flow_ms + 60000)
  redis.call('DEL', key.rows)
  set('serving_high', room.serving)
  if room.serving > 0 then add_advance() end
  if room.pending_file ~= '' then apply_file_settings(room.pending_file) end
  set('pending_file', '')
  add_unaccounted()
  if is_new then follow_phase()
  elseif not is_forgotten() then resume_draws() end
  log_recovery()
end
