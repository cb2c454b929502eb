-- Generated from src/core/claim.ts by `npm run lua`. Not to be edited.
-- Claims the admission of a place. The order of the checks is that of `ClaimResult`. A place is admitted once, and so is a bypass
-- link; no 60 s see more admissions than the limit.

local function answered(result)
  return {result = result, isNew = false, record = nil, held = nil, rank = 0}
end

local function with_record(result, is_new, record)
  return {result = result, isNew = is_new, record = record, held = nil, rank = 0}
end

local function is_closed()
  return room.base_phase == "idle" or room.base_phase == "ended"
end

local function held_by(held, rank)
  if held.by == "limit" then
    note_asking(held.isOwn)
  end
  return {result = "held", isNew = false, record = nil, held = held, rank = rank}
end

local function drawn_entry(request, place)
  if place == 0 or request.drawId == nil then
    return nil
  end
  return {number = request.number, draw = request.drawId}
end

local function new_record(request, place, via, earlier)
  local idle_end = via == "idle" and (idle_ends_ms() or 0) or 0
  local slid_ms = room.at_ms + room.duration_ms
  local expires_ms = idle_end > 0 and math.min(slid_ms, idle_end) or slid_ms
  local logins = {}
  if request.login ~= nil then
    logins[#logins + 1] = request.login
  end
  local addresses = nil
  if request.address ~= nil then
    addresses = {request.address}
  end
  return {
    sub = request.sub,
    edition = room.edition,
    position = place,
    entry = drawn_entry(request, place),
    usedPosition = used_after(earlier, room.edition, place),
    via = via,
    admittedMs = room.at_ms,
    expiresMs = expires_ms,
    admittedFlowMs = room.flow_ms,
    expiresFlowMs = to_flow(expires_ms),
    ended = nil,
    logins = logins,
    taken = nil,
    addresses = addresses,
    claimMs = math.max(room.claim_ms, place > 0 and request.joinedMs or 0)
  }
end

local function admit(request, place, via, earlier)
  record_admission(room, room.limit, rate_per_minute())
  if is_adaptive() then
    set("load_admitted_now", room.load_admitted_now + 1)
  end
  record_shared(via == "queue" or via == "bypass")
  count_outflow()
  if place > 0 then
    remove_pending_claim(place)
  end
  local record = new_record(request, place, via, earlier)
  put_record(record, nil)
  log_admission(place, request.number, via, request.joinedMs)
  lapse_admissions(2)
  prune_ended(2)
  return with_record("admitted", true, record)
end

local function admit_or_hold(request, record)
  local position = request.position
  prune_pending_claims(500)
  prune_log(room)
  note_show(position)
  local rank = (is_limited() or room.max_active ~= nil) and pending_rank(position) or 0
  local held = claim_hold(rank)
  if held ~= nil then
    add_pending_claim(position)
    return held_by(held, rank)
  end
  if position <= room.expired_through then
    set("count_no_shows", math.max(0, room.count_no_shows - 1))
  end
  set("count_entered", room.count_entered + 1)
  note_came()
  if people_waiting() > 0 then
    note_entered()
  end
  return admit(request, position, "queue", record)
end

local function claim_with_place(request, record)
  if is_elsewhere(request.number, request.sub) then
    return answered("moved")
  end
  local is_known = is_placed(request.number, request.drawId)
  local is_used = is_known and was_claimed(request.position, request.number, request.sub, record)
  if request.proof ~= nil or is_used then
    return answered("ended")
  end
  if has_position(key.used_entries, request.number) then
    return answered("left")
  end
  if is_known and has_position(key.left_places, request.position) then
    return answered("left")
  end
  if request.number > room.serving and request.number > room.queued then
    return answered("beyond")
  end
  if is_closed() then
    return answered("closed")
  end
  if room.base_phase == "prequeue" or not is_known then
    return answered("waiting")
  end
  if request.position > room.serving then
    return answered("waiting")
  end
  if phase_of() ~= "open" then
    return answered("paused")
  end
  if has_expired(request.position, request.joinedMs) then
    return answered("expired")
  end
  return admit_or_hold(request, record)
end

local function passed_by()
  local phase = phase_of()
  if phase == "idle" and room.when_idle == "pass_through" then
    return "idle"
  end
  if phase == "ended" and room.when_ended == "pass_through" then
    return "ended"
  end
  if phase == "passthrough" then
    return "passthrough"
  end
  return nil
end

local function take_place(request, record)
  local number = request.number
  if number == 0 or number > room.queued or is_elsewhere(number, request.sub) then
    return 0
  end
  if not is_placed(number, request.drawId) then
    add_position(key.used_entries, number)
    return 0
  end
  if has_position(key.used_entries, number) or has_position(key.left_places, request.position) then
    return 0
  end
  return was_claimed(request.position, number, request.sub, record) and 0 or request.position
end

local function pass(request, via, record)
  set("count_passed", room.count_passed + 1)
  prune_log(room)
  return admit(request, take_place(request, record), via, record)
end

local function proven_place(request)
  if request.position == 0 or is_placed(request.number, request.drawId) then
    return request.position
  end
  if request.number <= room.queued then
    add_position(key.used_entries, request.number)
  end
  return 0
end

local function bypass(request, link, record)
  if is_link_void(key.used_links, link) then
    return answered("void")
  end
  prune_pending_claims(500)
  prune_log(room)
  local held = claim_hold(0)
  if held ~= nil then
    add_pending_bypass()
    return held_by(held, 0)
  end
  use_link(link)
  remove_pending_bypass()
  set("count_bypassed", room.count_bypassed + 1)
  return admit(request, take_place(request, record), "bypass", record)
end

local function use_admission(record, request)
  local use = note_address(record, request.address)
  if use == "refused" then
    return with_record("too_many_addresses", false, record)
  end
  local is_answered = request.login ~= nil and has_text(record.logins, request.login)
  local is_exhausted = #record.logins >= room.logins_per_admission
  if request.login == nil or is_answered or is_exhausted then
    if use == "new" then
      rewrite_record(record)
    end
    if is_answered then
      return with_record("answered", false, record)
    end
    return with_record(request.login == nil and "admitted" or "exhausted", false, record)
  end
  local logins = record.logins
  logins[#logins + 1] = request.login
  if not extend_record(record) then
    rewrite_record(record)
  end
  return with_record("admitted", false, record)
end

local function record_from_proof(request, record)
  local proof = request.proof
  if proof == nil or proof.admittedMs >= room.incarnation_started_ms or proof.expiresMs <= room.at_ms then
    return nil
  end
  if proof.via == "idle" and proof.admittedMs <= room.idle_ended_ms then
    return nil
  end
  if record ~= nil and record.admittedMs >= proof.admittedMs then
    return nil
  end
  local place = proven_place(request)
  return {
    sub = request.sub,
    edition = request.edition,
    position = place,
    entry = drawn_entry(request, place),
    usedPosition = used_after(record, request.edition, place),
    via = proof.via,
    admittedMs = proof.admittedMs,
    expiresMs = proof.expiresMs,
    admittedFlowMs = to_flow(proof.admittedMs),
    expiresFlowMs = to_flow(proof.expiresMs),
    ended = nil,
    logins = {},
    taken = nil,
    addresses = nil,
    claimMs = math.max(room.claim_ms, request.joinedMs)
  }
end

local function claim(request)
  local has_place = request.position > 0
  if has_place and request.edition < room.edition then
    return answered("old_edition")
  end
  if has_place and request.edition > room.edition then
    return answered("newer_edition")
  end
  local record = current_record(request.sub)
  if record ~= nil and is_live(record) then
    return use_admission(record, request)
  end
  local proven = record_from_proof(request, record)
  if proven ~= nil then
    recall_record(proven, record)
    return use_admission(proven, request)
  end
  local pass_via = passed_by()
  if pass_via ~= nil and not request.isSilent then
    return pass(request, pass_via, record)
  end
  if request.bypass ~= nil then
    return bypass(request, request.bypass, record)
  end
  if not has_place then
    return answered(is_closed() and "closed" or "no_place")
  end
  return claim_with_place(request, record)
end
