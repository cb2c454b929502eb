-- Generated from src/core/admissions/ended-logins.ts by `npm run lua`. Not to be edited.
-- Logins whose client is to be notified that the admission has ended: `ATTEMPTS:ADMITTED_MS:SUB:CLIENT`, by when they are due. A login
-- names its client behind a colon; each client is lined up once. An ended admission that a memory brings is lined up again: after
-- a loss nobody knows who was notified.

--- Lines up the clients that want to be notified that the admission is over.
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
