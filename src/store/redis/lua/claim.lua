-- Claims the admission of a place. The order of the checks is that of `ClaimResult` in room-store.ts.
-- KEYS: state, rows, admissions, live, ended, changes, claimed_places, left_places, log, knocks, knock_times,
--   held_times.
-- ARGV: life; sub; edition; position; joined_ms (claim clock); login (a hash, or ''); has_login ('1' or '0');
--   proof_admitted_ms and proof_expires_ms ('' without a proof).
-- Returns 'ok', the result, and by result: is_new ('1' or '0') and the admission's JSON; or retry_ms and rank.
-- Invariant: a place is admitted once; no 60 s see more admissions than the limit.

local refusal = enter()
if refusal then return refusal end
load({ 'change_count' })

local position = tonumber(arg.position)
local edition = tonumber(arg.edition)

local function answer(...)
  save()
  return { 'ok', ... }
end

-- A login under a live admission: one code per authorization request, at most `logins_per_admission`.
local function use_admission(record)
  local is_answered = false
  for _, login in ipairs(record.logins) do is_answered = is_answered or login == arg.login end
  if arg.has_login == '0' then return answer('admitted', '0', cjson.encode(record)) end
  if is_answered then return answer('answered', '0', cjson.encode(record)) end
  if #record.logins >= room.logins_per_admission then return answer('exhausted', '0', cjson.encode(record)) end
  record.logins[#record.logins + 1] = arg.login
  return answer('admitted', '0', put_record(record))
end

local function new_record(admitted_ms, expires_ms)
  return {
    sub = arg.sub, edition = edition, position = position, admittedMs = admitted_ms, expiresMs = expires_ms,
    logins = {}, claimMs = math.max(room.claim_ms, tonumber(arg.joined_ms)),
  }
end

-- The admission that a claimed ticket proves, if it is older than this life and the store knows nothing later.
local function record_from_proof(record)
  if arg.proof_admitted_ms == '' then return nil end
  local admitted_ms, expires_ms = tonumber(arg.proof_admitted_ms), tonumber(arg.proof_expires_ms)
  if admitted_ms >= room.life_started_ms or expires_ms <= room.at_ms then return nil end
  if record and record.admittedMs >= admitted_ms then return nil end
  return new_record(admitted_ms, expires_ms)
end

local function is_marked(places)
  return redis.call('GETBIT', places, text_of(position)) == 1
end

-- Counts the place as shown, once, when it claims or knocks within 5 s of being served.
local function note_show()
  if is_knocking(position) then return end
  load({ 'batches' })
  local batches = decode_list(room.batches)
  for i = #batches, 1, -1 do
    local batch = batches[i]
    if position > batch[2] and position <= batch[3] then
      if room.flow_ms - batch[1] > 5000 then return end
      batch[5] = batch[5] + 1
      set('batches', encode_list(batches))
      return
    end
  end
end

-- The time at which the limiter and the hold let this place in.
local function open_at(rank)
  if room.limit == nil then return room.flow_ms end
  local slot_ms = limiter_slot(rank)
  return is_held() and math.max(slot_ms, room.hold_until_ms) or slot_ms
end

if edition < room.edition then return answer('old_edition') end
if edition > room.edition then return answer('newer_edition') end

local record = current_record(arg.sub)
if record and is_live(record) then return use_admission(record) end
local proven = record_from_proof(record)
if proven then
  put_record(proven)
  return use_admission(proven)
end
if is_marked(key.claimed_places) then return answer('ended') end
-- Positions of one visitor only grow, so a lower one than the admitted one has had its turn too.
if record and record.edition == room.edition and position <= record.position then return answer('ended') end
if arg.proof_admitted_ms ~= '' then return answer('ended') end
if is_marked(key.left_places) then return answer('left') end

if position > room.serving then return answer(position > room.queued and 'beyond' or 'waiting') end
if room.phase ~= 'open' then return answer('paused') end
local served_ms = math.max(tonumber(arg.joined_ms), served_at(position))
if room.claim_ms > served_ms + room.claim_within_ms and not is_exempt(position) then return answer('expired') end

prune_knocks(500)
prune_log()
note_show()
local rank = room.limit ~= nil and knock_rank(position) or 0
local open_ms = open_at(rank)
if open_ms > room.flow_ms then
  knock(position)
  return answer('held', math.min(4000, math.max(100, math.ceil(open_ms - room.flow_ms))), rank)
end

record_admission()
count_outflow()
stop_knocking(position)
local admission = new_record(room.at_ms, room.at_ms + room.duration_ms)
if arg.has_login == '1' then admission.logins = { arg.login } end
local json = put_record(admission)
-- More than one, so that claims clean up faster than they make.
lapse_admissions(2)
prune_ended(2)
return answer('admitted', '1', json)
