-- Claims the admission of a place. The order of the checks is that of `ClaimResult` in room-store.ts.
-- KEYS: state, group, group_log, log, rows, admissions, live, ended, ended_logins, idle, changes, claimed_places, left_places, knocks,
--   knock_times, held_times, held, used_links, holders, used_entries, admission_log.
-- ARGV: life and what was seen of it; room; group; sub; edition; position (0 without a place); entry_number and entry_draw (from what it was drawn; '' where
--   no draw is known); joined_ms (claim clock); login (a hash, or ''); has_login ('1' or '0'); address (a short name, or ''); proof_admitted_ms, proof_expires_ms and proof_via ('' without a proof); bypass_id,
--   bypass_made_ms and bypass_expires_ms ('' without a bypass link); is_silent ('1' or '0').
-- Returns 'ok', the result, and by result: is_new ('1' or '0'), the admission's JSON, now and the flow clock (ms) and up to
--   when admissions of the idle phase have ended (ms); or retry_ms, rank and by what it is held.
-- Invariant: a place is admitted once, and so is a bypass link; no 60 s see more admissions than the limit.

local refusal = enter({
  'life_started_ms', 'idle_ended_ms', 'when_idle', 'when_ended', 'expired_through', 'claim_within_ms', 'duration_ms',
  'change_count', 'log_rows_max', 'log_last', 'log_noted', 'max_active', 'shared_limit',
})
if refusal then return refusal end

local position = tonumber(arg.position)
local number = tonumber(arg.entry_number) or position
local edition = tonumber(arg.edition)
local joined_ms = tonumber(arg.joined_ms)
local is_closed = room.base_phase == 'idle' or room.base_phase == 'ended'

-- Of what the place was drawn; nil where it was not.
local function drawn_entry(place)
  if place == 0 or arg.entry_number == '' then return nil end
  return { number = number, draw = tonumber(arg.entry_draw) }
end

local function answer(...)
  save()
  return { 'ok', ... }
end

local function tell(result, is_new, json)
  return answer(result, is_new, json, room.at_ms, room.flow_ms, room.idle_ended_ms)
end

-- A login under a live admission: one code per authorization request, at most `logins_per_admission`.
local function use_admission(record)
  local use = note_address(record, arg.address)
  if use == 'refused' then return tell('too_many_addresses', '0', cjson.encode(record)) end
  local function as_it_is() return use == 'new' and rewrite_record(record) or cjson.encode(record) end
  if arg.has_login == '0' then return tell('admitted', '0', as_it_is()) end
  if has_value(record.logins, arg.login) then return tell('answered', '0', as_it_is()) end
  if #record.logins >= room.logins_per_admission then return tell('exhausted', '0', as_it_is()) end
  record.logins[#record.logins + 1] = arg.login
  return tell('admitted', '0', extend_record(record) or rewrite_record(record))
end

-- The place that was claimed once; a number whose position is not known is used up.
local function proven_place()
  if position == 0 or is_placed(number, tonumber(arg.entry_draw)) then return position end
  if number <= room.queued then use_entry(number) end
  return 0
end

-- The admission that a claimed ticket proves, if it is older than this life and the store knows nothing later.
local function record_from_proof(record)
  if arg.proof_admitted_ms == '' then return nil end
  local admitted_ms, expires_ms = tonumber(arg.proof_admitted_ms), tonumber(arg.proof_expires_ms)
  if admitted_ms >= room.life_started_ms or expires_ms <= room.at_ms then return nil end
  if arg.proof_via == 'idle' and admitted_ms <= room.idle_ended_ms then return nil end
  if record and record.admittedMs >= admitted_ms then return nil end
  local place = proven_place()
  return {
    sub = arg.sub, edition = edition, position = place, entry = drawn_entry(place),
    usedPosition = used_after(record, edition, place), via = arg.proof_via, logins = {},
    admittedMs = admitted_ms, expiresMs = expires_ms,
    admittedFlowMs = to_flow(admitted_ms), expiresFlowMs = to_flow(expires_ms),
    claimMs = math.max(room.claim_ms, joined_ms),
  }
end

-- The phase without a line that everybody passes through just now; nil for none.
local function passed_by()
  local phase = phase_of()
  if phase == 'idle' and room.when_idle == 'pass_through' then return 'idle' end
  if phase == 'ended' and room.when_ended == 'pass_through' then return 'ended' end
  if phase == 'passthrough' then return 'passthrough' end
end

local function admit(place, via, record)
  record_admission(room, room.limit, rate_per_minute())
  if is_adaptive() then set('load_admitted_now', room.load_admitted_now + 1) end
  record_shared(via == 'queue' or via == 'bypass')
  count_outflow()
  if place > 0 then stop_knocking(place) end
  local expires_ms = room.at_ms + room.duration_ms
  if via == 'idle' then expires_ms = math.min(expires_ms, idle_ends_ms() or math.huge) end
  local json = put_record({
    sub = arg.sub, edition = room.edition, position = place, entry = drawn_entry(place),
    usedPosition = used_after(record, room.edition, place), via = via, admittedMs = room.at_ms,
    expiresMs = expires_ms, admittedFlowMs = room.flow_ms, expiresFlowMs = to_flow(expires_ms),
    logins = arg.has_login == '1' and { arg.login } or {}, addresses = arg.address ~= '' and { arg.address } or nil,
    claimMs = math.max(room.claim_ms, place > 0 and joined_ms or 0),
  })
  log_admission(place, number, via, joined_ms)
  -- More than one, so that claims clean up faster than they make.
  lapse_admissions(2)
  prune_ended(2)
  return tell('admitted', '1', json)
end

-- The place that goes with an admission beside the line; 0 where there is none, or it was claimed, left or moved to another. An
-- entry that is not drawn is used up.
local function take_place(record)
  if number == 0 or number > room.queued or is_elsewhere(number, arg.sub) then return 0 end
  if not is_placed(number, tonumber(arg.entry_draw)) then
    use_entry(number)
    return 0
  end
  if has_position(key.used_entries, number) or has_position(key.left_places, position) then return 0 end
  return was_claimed(position, number, arg.sub, record) and 0 or position
end

local function pass(via, record)
  count('passed', 1)
  prune_log(room)
  return admit(take_place(record), via, record)
end

-- Ahead of the line, and within the same limits.
local function bypass(record)
  local made_ms, expires_ms = tonumber(arg.bypass_made_ms), tonumber(arg.bypass_expires_ms)
  if is_link_void(key.used_links, arg.bypass_id, made_ms, expires_ms) then return answer('void') end
  prune_knocks(500)
  prune_log(room)
  local by, retry_after_ms, is_own = door_slot(0)
  if by then
    knock_first()
    if by == 'limit' then note_asking(is_own) end
    return answer('held', retry_after_ms, 0, by)
  end
  use_link(arg.bypass_id, expires_ms)
  stop_knocking_first()
  count('bypassed', 1)
  return admit(take_place(record), 'bypass', record)
end

local function admit_or_hold(record)
  load({ 'log_total', 'tat_ms', 'batches', 'outflow', 'count_entered', 'ghosts', 'pull_came' })
  prune_knocks(500)
  prune_log(room)
  note_show(position)
  -- Nobody knocks where nothing holds anyone.
  local rank = (is_limited() or room.max_active) and knock_rank(position) or 0
  local by, retry_after_ms, is_own = door_slot(rank)
  if by then
    knock(position)
    if by == 'limit' then note_asking(is_own) end
    return answer('held', retry_after_ms, rank, by)
  end
  -- It was counted as a no-show when its time was over, and comes after all.
  if position <= room.expired_through then
    set('count_no_shows', math.max(0, room.count_no_shows - 1))
  end
  count('entered', 1)
  note_came()
  if people_waiting() > 0 then note_entered() end
  return admit(position, 'queue', record)
end

local function claim_place(record)
  if number > room.serving and number > room.queued then return answer('beyond') end
  if is_closed then return answer('closed') end
  if room.base_phase == 'prequeue' or not is_placed(number, tonumber(arg.entry_draw)) then return answer('waiting') end
  if position > room.serving then return answer('waiting') end
  if phase_of() ~= 'open' then return answer('paused') end
  if has_expired(position, joined_ms) then return answer('expired') end
  return admit_or_hold(record)
end

if position > 0 and edition < room.edition then return answer('old_edition') end
if position > 0 and edition > room.edition then return answer('newer_edition') end

local record = current_record(arg.sub)
if record and is_live(record) then return use_admission(record) end
local proven = record_from_proof(record)
if proven then
  recall_record(proven, record)
  return use_admission(proven)
end
local via = arg.is_silent == '0' and passed_by()
if via then return pass(via, record) end
if arg.bypass_id ~= '' then return bypass(record) end
if position == 0 then return answer(is_closed and 'closed' or 'no_place') end
if is_elsewhere(number, arg.sub) then return answer('moved') end
local is_known = is_placed(number, tonumber(arg.entry_draw))
if arg.proof_admitted_ms ~= '' or (is_known and was_claimed(position, number, arg.sub, record)) then return answer('ended') end
if has_position(key.used_entries, number) or (is_known and has_position(key.left_places, position)) then return answer('left') end
return claim_place(record)
