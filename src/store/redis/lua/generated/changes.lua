-- Generated from src/core/changes.ts by `npm run lua`. Not to be edited.
-- What has changed since a process asked last: admissions on record and moved places, by the number of their last change.

--- Those changed after `since`, oldest change first, at most `limit`.
local function changes_since(changes, since, limit)
  local after = since > room.change_count and 0 or since
  local members = members_between(changes, after + 1, room.change_count, limit + 1)
  if #members <= limit then
    return {members = members, cursor = room.change_count, more = false}
  end
  table.remove(members)
  local last = members[#members]
  if last == nil then
    return {members = members, cursor = after, more = true}
  end
  return {members = members, cursor = score_of(changes, last) or after, more = true}
end

--- Who holds these places, by their numbers.
local function moved_places(numbers)
  local moves = {}
  for _, number in ipairs(numbers) do
    local moved = read_record(key.holders, number)
    if moved ~= nil then
      moves[#moves + 1] = moved
    end
  end
  return moves
end

local function is_wanted(record, wanted)
  local status = record.ended or lapse_of(record) or "live"
  if wanted.status ~= nil and wanted.status ~= status then
    return false
  end
  local edition = wanted.edition
  return edition == nil or record.edition == edition.id ~= edition.isOthers
end

--- A page of the admissions that are wanted. Where only some are, at most 1,000 are looked at.
local function list_admissions(since, limit, wanted)
  local are_all_wanted = wanted.status == nil and wanted.edition == nil
  local page = changes_since(key.changes, since, are_all_wanted and limit or 1000)
  local records = {}
  local last = ""
  for _, sub in ipairs(page.members) do
    if #records >= limit then
      return {records = records, cursor = score_of(key.changes, last)}
    end
    local record = read_record(key.admissions, sub)
    if record ~= nil and is_wanted(record, wanted) then
      records[#records + 1] = record
    end
    last = sub
  end
  return {records = records, cursor = page.more and page.cursor or nil}
end
