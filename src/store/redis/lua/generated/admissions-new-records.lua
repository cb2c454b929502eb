-- Generated from src/core/admissions/new-records.ts by `npm run lua`. Not to be edited.
-- The records of admissions that a claim makes: of a new one, and of one that a claimed ticket proves.

--- Of what the place was drawn; null where it was not.
local function drawn_entry(request, place)
  if place == 0 then
    return nil
  end
  return request.entry or nil
end

---
-- @param earlier what is on record of the same visitor
local function record_of(request, edition, place, joined_ms, proof, earlier)
  return {
    sub = request.sub,
    edition = edition,
    position = place,
    entry = drawn_entry(request, place),
    usedPosition = used_after(earlier, edition, place),
    via = proof.via,
    admittedMs = proof.admittedMs,
    expiresMs = proof.expiresMs,
    admittedFlowMs = to_flow(proof.admittedMs),
    expiresFlowMs = to_flow(proof.expiresMs),
    visitByFlowMs = nil,
    ended = nil,
    logins = {},
    taken = nil,
    addresses = nil,
    claimMs = math.max(room.claim_ms, joined_ms)
  }
end

local function new_record(request, place, via, earlier)
  local idle_end = via == "idle" and (idle_ends_ms() or 0) or 0
  local slid_ms = room.at_ms + room.duration_ms
  local expires_ms = idle_end > 0 and math.min(slid_ms, idle_end) or slid_ms
  local joined_ms = place > 0 and request.joinedMs or 0
  local proof = {via = via, admittedMs = room.at_ms, expiresMs = expires_ms}
  local record = record_of(request, room.edition, place, joined_ms, proof, earlier)
  local logins = record.logins
  if request.login ~= nil then
    logins[#logins + 1] = request.login
  end
  if request.address ~= nil then
    record.addresses = {request.address}
  end
  if room.first_visit_within_ms ~= nil then
    record.visitByFlowMs = room.flow_ms + room.first_visit_within_ms
  end
  return record
end

--- The place that was claimed once; a number whose position is not known is used up.
local function proven_place(request)
  if request.position == 0 or is_placed(number_of(request), draw_id_of(request)) then
    return request.position
  end
  if number_of(request) <= room.queued then
    add_position(key.used_entries, number_of(request))
  end
  return 0
end

--- The admission that a claimed ticket proves, if it is older than this incarnation and the store knows nothing later. A ticket knows the
-- wall clock alone: if that was set since, the admission lasts longer by the step, or shorter.
local function record_from_proof(request, record)
  local proof = request.proof
  if proof == nil or not is_from_before(proof.admittedMs) or proof.expiresMs <= room.at_ms then
    return nil
  end
  if proof.via == "idle" and proof.admittedMs <= room.idle_ended_ms then
    return nil
  end
  if record ~= nil and record.admittedMs >= proof.admittedMs then
    return nil
  end
  return record_of(request, request.edition, proven_place(request), request.joinedMs, proof, record)
end
