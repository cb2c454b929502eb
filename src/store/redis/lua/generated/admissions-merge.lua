-- Generated from src/core/admissions/merge.ts by `npm run lua`. Not to be edited.
-- Admissions that others remember: the later one of a visitor counts; of two equal ones ended beats live, and the later end counts.

local function copy_of(texts)
  return map_list(
    texts,
    function(text) return text end
  )
end

local function as_record(admission, earlier)
  return {
    sub = admission.sub,
    edition = admission.edition,
    position = admission.position,
    entry = admission.entry or nil,
    usedPosition = used_after(earlier, admission.edition, admission.usedPosition),
    via = admission.via,
    admittedMs = admission.admittedMs,
    expiresMs = admission.expiresMs,
    admittedFlowMs = to_flow(admission.admittedMs),
    expiresFlowMs = to_flow(admission.expiresMs),
    visitByFlowMs = admission.visitByMs ~= nil and to_flow(admission.visitByMs) or nil,
    ended = admission.ended,
    logins = copy_of(admission.logins),
    taken = admission.taken ~= nil and copy_of(admission.taken) or nil,
    addresses = admission.addresses ~= nil and copy_of(admission.addresses) or nil,
    claimMs = room.claim_ms
  }
end

local function unite_texts(list, others)
  local added = filter_list(
    others,
    function(text) return not is_in_list(list, text) end
  )
  for _, text in ipairs(added) do
    list[#list + 1] = text
  end
  return #added > 0
end

local function unite(record, admission)
  local is_more = false
  local expires_ms = wall_expires_ms(record)
  if admission.expiresMs > expires_ms then
    expires_ms = admission.expiresMs
    record.admittedFlowMs = to_flow(admission.admittedMs)
    record.expiresFlowMs = to_flow(admission.expiresMs)
    is_more = true
  end
  if is_live(record) and admission.ended ~= nil then
    record.ended = admission.ended
    use_up_exit()
    is_more = true
  end
  if admission.visitByMs == nil and mark_visited(record) then
    is_more = true
  end
  if unite_texts(record.logins, admission.logins) then
    is_more = true
  end
  local taken = record.taken or ({})
  if unite_texts(taken, admission.taken or ({})) then
    record.taken = taken
    is_more = true
  end
  local addresses = record.addresses or ({})
  if unite_texts(addresses, admission.addresses or ({})) then
    record.addresses = addresses
    is_more = true
  end
  if is_more then
    record.expiresMs = expires_ms
  end
  return is_more
end

local function merge_admission(admission)
  local record = read_record(key.admissions, admission.sub)
  if record == nil or admission.admittedMs > record.admittedMs then
    set("is_whole", false)
    recall_record(as_record(admission, record), record)
  elseif admission.admittedMs == record.admittedMs and unite(record, admission) then
    put_record(record, record)
  end
end

---
-- @param isLate recovery is over: what was admitted since is not taken over
local function merge_admissions(admissions, is_late)
  for _, admission in ipairs(admissions) do
    mark_claimed(admission.edition, admission.usedPosition, admission.position)
    local is_retained = admission.expiresMs + 900000 > room.at_ms
    if is_retained and (not is_late or is_from_before(admission.admittedMs)) then
      merge_admission(admission)
    end
  end
  bound_exits()
end
