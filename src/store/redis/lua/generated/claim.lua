-- Generated from src/core/claim.ts by `npm run lua`. Not to be edited.
-- Claims the admission of a place. A claim is judged in the order of `claim` and `claimWithPlace`: a live admission logs in in every
-- phase; then a proof from before this incarnation, a phase that passes through, a bypass link; then the place. No 60 s see more
-- admissions than the limit.
-- That a place was claimed or left is kept in one bit for as long as the edition lasts, whatever becomes of the admission's record: no
-- change of settings, no step back and forth and no copy of an unclaimed ticket makes two admissions of one. An entry that is not drawn,
-- or whose position the caller does not know, is used up by an admission that bypasses the line.

local function answered(result)
  return {result = result}
end

local function with_record(result, is_new, record)
  return {result = result, isNew = is_new, record = record}
end

local function is_closed()
  return room.base_phase == "idle" or room.base_phase == "ended" or is_line_over()
end

local function room_delay(rank, nobody_waits)
  local rate = rate_per_minute()
  if room.limit == nil or rate == nil then
    return 0
  end
  return limiter_slot(room, room.limit, rank, nobody_waits, rate) - room.flow_ms
end

local function retry_after_ms(ms)
  local whole_ms = math.max(100, math.ceil(ms))
  return whole_ms <= 4000 and whole_ms or math.min(4000, math.ceil(whole_ms / 2))
end

local function claim_hold(rank)
  local free = capacity_free()
  local nobody_waits = room.serving >= room.queued and rank == 0
  local slot_ms = room_delay(rank, nobody_waits)
  local limit_ms = is_limited() and math.max(slot_ms, shared_delay(rank, nobody_waits)) or 0
  local is_room_limited = slot_ms > 0
  if is_on_hold() then
    return {
      by = "recovery",
      retryMs = retry_after_ms(math.max(limit_ms, room.hold_until_ms - room.flow_ms)),
      isRoomLimited = is_room_limited
    }
  end
  if free ~= nil and rank >= free then
    return {by = "capacity", retryMs = 2000, isRoomLimited = is_room_limited}
  end
  if limit_ms > 0 then
    return {by = "limit", retryMs = retry_after_ms(limit_ms), isRoomLimited = is_room_limited}
  end
  return nil
end

local function hold_claim(hold, rank)
  if hold.by == "limit" then
    record_contention(hold.isRoomLimited)
  end
  return {result = "held", hold = hold, rank = rank}
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
  if room.has_push then
    forget_push(request.sub)
  end
  local record = new_record(request, place, via, earlier)
  put_record(record, nil)
  log_admission(place, number_of(request), via, request.joinedMs)
  if room.tells_admissions then
    publish_admission(request.sub, place, via)
  end
  lapse_admissions(2)
  prune_ended(2)
  return with_record("admitted", true, record)
end

local function admit_or_hold(request, record)
  local position = request.position
  prune_pending_claims(500)
  prune_log(room)
  record_show(position)
  local rank = (is_limited() or room.max_active ~= nil) and pending_rank(position) or 0
  local hold = claim_hold(rank)
  if hold ~= nil then
    add_pending_claim(position)
    return hold_claim(hold, rank)
  end
  if position <= room.expired_through then
    set("count_no_shows", math.max(0, room.count_no_shows - 1))
  end
  set("count_entered", room.count_entered + 1)
  set("pull_came", room.pull_came + 1)
  if people_waiting() > 0 then
    record_entered()
  end
  return admit(request, position, "queue", record)
end

local function claim_with_place(request, record)
  if is_elsewhere(number_of(request), request.sub) then
    return answered("moved")
  end
  if is_voided(number_of(request), request.position) then
    return answered("voided")
  end
  if not is_place_of_key(request) then
    return answered("moved")
  end
  local is_positioned = is_placed(number_of(request), draw_id_of(request))
  local is_used = is_positioned and was_claimed(request.position, number_of(request), request.sub, record)
  if request.proof ~= nil or is_used then
    return answered("ended")
  end
  if has_position(key.used_entries, number_of(request)) then
    return answered("left")
  end
  if is_positioned and has_position(key.left_places, request.position) then
    return answered("left")
  end
  if number_of(request) > room.serving and number_of(request) > room.queued then
    return answered("beyond")
  end
  if is_closed() then
    return answered("closed")
  end
  if room.base_phase == "prequeue" or not is_positioned then
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
  if phase == "ended" and room.when_ended == "pass_through" and not is_line_over() then
    return "ended"
  end
  if phase == "passthrough" then
    return "passthrough"
  end
  return nil
end

local function take_place(request, record)
  local number = number_of(request)
  if number == 0 or number > room.queued or is_elsewhere(number, request.sub) then
    return 0
  end
  if is_voided(number, request.position) then
    return 0
  end
  if not is_place_of_key(request) then
    return 0
  end
  if not is_placed(number, draw_id_of(request)) then
    add_position(key.used_entries, number)
    return 0
  end
  if has_position(key.used_entries, number) or has_position(key.left_places, request.position) then
    return 0
  end
  return was_claimed(request.position, number, request.sub, record) and 0 or request.position
end

local function pass(request, via, record)
  if record == nil and request.position == 0 and count_records(key.admissions) >= 1000000 then
    return hold_claim({by = "capacity", retryMs = 10000, isRoomLimited = false}, 0)
  end
  set("count_passed", room.count_passed + 1)
  prune_log(room)
  return admit(request, take_place(request, record), via, record)
end

local function bypass(request, link, record)
  if is_link_void(key.used_links, link) then
    return answered("void")
  end
  prune_pending_claims(500)
  prune_log(room)
  local hold = claim_hold(0)
  if hold ~= nil then
    add_pending_bypass()
    return hold_claim(hold, 0)
  end
  use_link(link)
  remove_pending_claim(0)
  set("count_bypassed", room.count_bypassed + 1)
  return admit(request, take_place(request, record), "bypass", record)
end

local function use_admission(record, request)
  local use = record_address(record, request.address)
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
  if pass_via ~= nil and request.isSilent ~= true then
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
