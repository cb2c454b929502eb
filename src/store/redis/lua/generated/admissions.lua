-- Generated from src/core/admissions.ts by `npm run lua`. Not to be edited.
-- Admissions on record: how they begin, are extended, lapse, end and are forgotten, and which clients must be notified of their end.

local function is_live(record)
  return record.ended == nil
end

--- How a live admission is over by now; null where it is not.
local function lapse_of(record)
  return lapsed_by(room.flow_ms, room.idle_ended_ms, record)
end

local function wall_expires_ms(record)
  return reported_end(to_wall(record.expiresFlowMs), record.expiresMs, not is_live(record))
end

local function record_change(sub)
  set("change_count", room.change_count + 1)
  set_score(key.changes, sub, room.change_count)
end

--- Keeps a record whose times and end are as they were.
local function rewrite_record(record)
  write_record(key.admissions, record.sub, record)
  record_change(record.sub)
end

--- The places that a visitor has claimed stay so for the rest of their edition. The last one may be lower than another: it was moved to them.
local function mark_claimed(edition, used, position)
  if edition ~= room.edition then
    return
  end
  if used > 0 then
    add_position(key.claimed_places, used)
  end
  if position > 0 and position ~= used then
    add_position(key.claimed_places, position)
  end
end

local function line_up_ended(record)
  for _, login in ipairs(record.logins) do
    local client = client_of(login)
    if client ~= nil then
      local member = (((("0:" .. text_of(record.admittedMs)) .. ":") .. record.sub) .. ":") .. client
      add_member(key.ended_logins, member, room.flow_ms)
      if size_of(key.ended_logins) > 100000 then
        remove_highest(key.ended_logins)
      end
    end
  end
end

--- Puts the admission on record, in place of any earlier one of the same visitor; its place stays claimed.
--
-- @param earlier one that it replaces; null where that cannot be live and of an idle phase
local function put_record(record, earlier)
  mark_claimed(record.edition, record.usedPosition, record.position)
  local was_idle = earlier ~= nil and earlier.via == "idle"
  if was_idle or record.via == "idle" then
    remove_member(key.idle, record.sub)
  end
  local was_unvisited = earlier ~= nil and earlier.visitByFlowMs ~= nil
  if was_unvisited or record.visitByFlowMs ~= nil then
    remove_member(key.unvisited, record.sub)
  end
  if is_live(record) then
    set_score(key.live, record.sub, record.expiresFlowMs)
    remove_member(key.ended, record.sub)
    if record.via == "idle" then
      set_score(key.idle, record.sub, record.admittedMs)
    end
    if record.visitByFlowMs ~= nil then
      set_score(key.unvisited, record.sub, record.visitByFlowMs)
    end
  else
    remove_member(key.live, record.sub)
    set_score(key.ended, record.sub, math.max(record.expiresMs, room.at_ms) + 900000)
    line_up_ended(record)
  end
  rewrite_record(record)
end

local function count_end(why)
  if why == "expired" then
    set("count_expired", room.count_expired + 1)
  elseif why == "logout" then
    set("count_logged_out", room.count_logged_out + 1)
  elseif why == "completed" then
    set("count_completed", room.count_completed + 1)
  elseif why == "abandoned" then
    set("count_abandoned", room.count_abandoned + 1)
  else
    set("count_revoked", room.count_revoked + 1)
  end
end

--- Whose admission ends is taken to be one of those who had exited: nobody is taken off twice.
local function use_up_exit()
  if room.exited > 0 then
    set("exited", room.exited - 1)
  end
end

local function bound_exits()
  if room.exited > 0 then
    set("exited", math.min(room.exited, size_of(key.live)))
  end
end

local function end_record(record, why)
  record.expiresMs = wall_expires_ms(record)
  record.ended = why
  count_end(why)
  if room.tells_admissions then
    publish_event("x", ((":" .. why) .. ":") .. record.sub)
  end
  if why ~= "expired" and room.exited == 0 and is_line_moving() then
    record_ended_early(1)
  end
  use_up_exit()
  put_record(record, nil)
  bound_exits()
end

--- Marks that the site has seen the visitor, so that the admission lasts its full time. The caller writes the record. Answers whether it changed.
local function mark_visited(record)
  if record.visitByFlowMs == nil then
    return false
  end
  record.visitByFlowMs = nil
  remove_member(key.unvisited, record.sub)
  return true
end

--- The record of this visitor; a lapsed one has been ended.
local function current_record(sub)
  local record = read_record(key.admissions, sub)
  if record == nil or not is_live(record) then
    return record
  end
  local lapse = lapse_of(record)
  if lapse ~= nil then
    end_record(record, lapse)
  end
  return record
end

local function window_left_ms(record)
  return record.claimMs + room.claim_within_ms - room.claim_ms
end

local function is_still_needed(record)
  if record.edition ~= room.edition or record.usedPosition == 0 then
    return false
  end
  return record.usedPosition > room.expired_through or window_left_ms(record) >= 0
end

--- See `Admission.usedPosition`.
--
-- @param earlier what is on record of the same visitor
local function used_after(earlier, edition, position)
  if earlier == nil or earlier.edition ~= edition then
    return position
  end
  return math.max(position, earlier.usedPosition)
end

--- Puts an admission on record that others remember or prove. One from before this incarnation that was not among the live ones may
-- have been counted as an unaccounted admission since, so it takes the place of one.
local function recall_record(record, earlier)
  if earlier ~= nil and is_live(earlier) then
    use_up_exit()
  elseif is_from_before(record.admittedMs) and is_live(record) and lapse_of(record) == nil then
    remove_unaccounted(1)
  end
  put_record(record, earlier)
end

--- Where admissions are sliding, a login or refresh moves the end of this one. Answers whether it did.
local function extend_record(record)
  if room.max_duration_ms == nil then
    return false
  end
  local expires_ms = math.min(room.flow_ms + room.duration_ms, record.admittedFlowMs + room.max_duration_ms)
  local idle_end = record.via == "idle" and (idle_ends_ms() or 0) or 0
  if idle_end > 0 then
    expires_ms = math.min(expires_ms, to_flow(idle_end))
  end
  if expires_ms <= record.expiresFlowMs then
    return false
  end
  record.expiresFlowMs = expires_ms
  record.expiresMs = to_wall(expires_ms)
  put_record(record, nil)
  return true
end

local function has_text(list, text)
  return is_in_list(list or ({}), text)
end

--- Records from where an admission is used, unless it was used from as many addresses as may be. It is written by the caller.
local function record_address(record, address)
  if address == nil or has_text(record.addresses, address) then
    return "known"
  end
  local addresses = record.addresses or ({})
  if room.addresses_per_admission ~= nil and #addresses >= room.addresses_per_admission then
    return "refused"
  end
  if #addresses >= 100 then
    return "known"
  end
  addresses[#addresses + 1] = address
  record.addresses = addresses
  return "new"
end

--- Takes a login of a live admission, once. Answers the record; null where there is none, no such login, or it was taken before.
local function take_login(sub, login)
  local record = current_record(sub)
  if record == nil or not is_live(record) then
    return nil
  end
  if not has_text(record.logins, login) or has_text(record.taken, login) then
    return nil
  end
  local taken = record.taken or ({})
  taken[#taken + 1] = login
  record.taken = taken
  mark_visited(record)
  rewrite_record(record)
  return record
end

--- The site has seen this visitor. Answers what is on record.
local function record_visit(sub)
  local record = current_record(sub)
  if record ~= nil and is_live(record) and mark_visited(record) then
    rewrite_record(record)
  end
  return record
end

--- Ends the live admission of this visitor. Answers what is on record; the first end stays.
local function end_admission(sub, why)
  local record = current_record(sub)
  if record ~= nil and is_live(record) then
    end_record(record, why)
  end
  refill()
  return record
end

--- Extends the live admission of this visitor, where admissions are sliding. Answers what is on record.
local function renew_admission(sub)
  local record = current_record(sub)
  if record ~= nil and is_live(record) then
    extend_record(record)
  end
  return record
end

local function lapse_admissions(limit)
  for _, sub in ipairs(members_between(key.live, 0, room.flow_ms, limit)) do
    current_record(sub)
  end
  for _, sub in ipairs(members_between(key.unvisited, 0, room.flow_ms, limit)) do
    current_record(sub)
  end
  if room.idle_ended_ms == 0 then
    return
  end
  for _, sub in ipairs(members_between(key.idle, 0, room.idle_ended_ms, limit)) do
    current_record(sub)
  end
end

--- Forgets ended admissions whose place no recovery could open again, at most `limit`.
local function prune_ended(limit)
  for _, sub in ipairs(members_between(key.ended, 0, room.at_ms, limit)) do
    local record = read_record(key.admissions, sub)
    if record ~= nil and is_still_needed(record) then
      set_score(key.ended, sub, room.at_ms + math.max(60000, window_left_ms(record)))
    else
      forget_record(key.admissions, sub)
      remove_member(key.ended, sub)
      remove_member(key.changes, sub)
    end
  end
end

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

--- How long after so many attempts the next one comes.
local function retry_ms_after(attempt)
  local retry_ms = 30000
  local doubled = 1
  while doubled < attempt do
    retry_ms = retry_ms * 2
    doubled = doubled + 1
  end
  return retry_ms
end

--- Forgets those whose client was notified, and hands out those that are due.
local function take_ended_logins(notified, limit)
  for _, id in ipairs(notified) do
    remove_member(key.ended_logins, id)
  end
  local taken = {}
  for _, member in ipairs(members_between(key.ended_logins, 0, room.flow_ms, limit)) do
    remove_member(key.ended_logins, member)
    local attempt = leading_number(member) + 1
    local id = (text_of(attempt) .. ":") .. after_colon(member)
    local is_last = attempt >= 9
    if not is_last then
      set_score(key.ended_logins, id, room.flow_ms + retry_ms_after(attempt))
    end
    taken[#taken + 1] = {id = id, isLast = is_last}
  end
  return taken
end
