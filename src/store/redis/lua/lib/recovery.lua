-- The end of a recovery, and the check every operation begins with. The twin of memory/recovery.ts and enter.ts.

-- Joins in the busiest second of the last ten, or the peak others remembered while that still matters.
local function join_peak()
  load({ 'join_seconds', 'join_peak' })
  local peak = 0
  local oldest = math.floor(room.flow_ms / 1000) - 10
  for _, second in ipairs(decode_list(room.join_seconds)) do
    if second[1] > oldest then peak = math.max(peak, second[2]) end
  end
  if room.recovering_until_ms > 0 or room.phase_reason == 'recovered' then peak = math.max(peak, room.join_peak) end
  return peak
end

-- Skips the positions that may have been handed out unseen. Open places stay open behind the gap.
local function place_gap()
  load({ 'gaps' })
  local open = math.max(0, room.serving - room.queued)
  local from = room.queued + 1
  set('queued', room.queued + math.max(1000, 5 * join_peak()))
  set('recovery_gap_from', from)
  set('recovery_gap_to', room.queued)
  local gaps = decode_list(room.gaps)
  gaps[#gaps + 1] = { from, room.queued }
  set('gaps', encode_list(normalize_gaps(gaps)))
  if open > 0 then set('serving', room.queued + open) end
end

-- Lays down effective settings, as text and as the fields that scripts go by.
local function set_effective(text)
  local settings = cjson.decode(text)
  local limit = settings.inlet.outflowPerMinute
  set('effective', text)
  set('inlet_type', settings.inlet.type)
  set('limit', limit ~= cjson.null and limit or nil)
  set('duration_ms', settings.admission.durationMs)
  set('claim_within_ms', settings.admission.claimWithinMs)
  set('logins_per_admission', settings.admission.loginsPerAdmission)
  -- A limit that was raised counts from now on, not from the slot that the old pace had reached (limiter.lua).
  if room.limit == nil then return end
  load({ 'tat_ms' })
  set('tat_ms', math.min(room.tat_ms, room.flow_ms + 500 + 60000 / (1.03 * room.limit)))
end

-- Whether the inlet has the limit it needs.
local function is_usable(file_inlet, live_inlet)
  local kind, limit = file_inlet.type, file_inlet.outflowPerMinute
  if live_inlet.type ~= nil then kind = live_inlet.type end
  if live_inlet.outflowPerMinute ~= nil then limit = live_inlet.outflowPerMinute end
  return kind ~= 'periodic' or limit ~= cjson.null
end

-- A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet that is
-- `periodic` by grace of a limit that the file no longer has would neither serve nor hold anyone: then the file's
-- counts.
local function apply_file_settings(file)
  load({ 'file', 'live' })
  if file == room.file then return end
  local effective, live = cjson.decode(file), cjson.decode(room.live)
  if live.inlet and not is_usable(effective.inlet, live.inlet) then
    live.inlet = nil
    set('live', cjson.encode(live))
  end
  for name, value in pairs(live) do
    if type(value) == 'table' then
      effective[name] = effective[name] or {}
      for member, inner in pairs(value) do effective[name][member] = inner end
    else effective[name] = value end
  end
  set('file', file)
  set_effective(cjson.encode(effective))
  set('version', room.version + 1)
end

-- Opens a room for which no ticket can exist, as if it were made now: no gap, no hold.
local function open_new_room()
  set('claim_ms', room.flow_ms)
  set('born_ms', room.flow_ms)
  set('edition', math.floor(room.at_ms / 1000))
  set('phase', 'open')
  set('phase_reason', '')
  set('version', 1)
end

-- Ends recovery when its time is over.
local function finish_recovery()
  if room.recovering_until_ms == 0 or room.flow_ms < room.recovering_until_ms then return end
  load({ 'remembered', 'is_new' })
  local is_new = room.is_new == 1 and room.remembered == 0
  if is_new then open_new_room()
  elseif room.phase_reason ~= 'recovered' then place_gap() end
  set('recovering_until_ms', 0)
  set('life_started_ms', room.at_ms)
  set('hold_until_ms', is_new and 0 or room.flow_ms + 60000)
  redis.call('DEL', key.rows)
  set('serving_high', room.serving)
  if room.serving > 0 then add_advance() end
  load({ 'pending_file' })
  if room.pending_file ~= '' then apply_file_settings(room.pending_file) end
  set('pending_file', '')
end

-- Loads the state, checks the life and moves the clocks. Answers a refusal, or nil when the operation may go on.
local function enter()
  load(core_fields)
  if room.life == '' or room.life ~= arg.life or room.run_id ~= run_id() then return { 'recover' } end
  advance_clocks()
  finish_recovery()
  if room.recovering_until_ms > 0 then
    save()
    return { 'recovering', room.recovering_until_ms - room.flow_ms }
  end
end
