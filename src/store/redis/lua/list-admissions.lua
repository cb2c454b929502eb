-- A page of the admissions on record, by order of last change. Changes nothing.
-- KEYS: state, admissions, changes. ARGV: cursor; limit (1…500); status: 'live', or how they ended, '' for any; edition: of
--   which they are, or with is_others '1' are not, '' for any.
-- Returns now and the flow clock (ms), up to when admissions of the idle phase have ended (ms), the next cursor, whether
--   there are more, and the admissions as JSON. Where only some are wanted, at most 1,000 are looked at.

local limit = tonumber(arg.limit)
local are_all_wanted = arg.status == '' and arg.edition == ''

load({ 'change_count', 'at_ms', 'flow_ms', 'idle_ended_ms' })
local now_ms = server_now_ms()
-- As of now, without being written: who has lapsed is judged by it.
room.flow_ms = room.flow_ms + clamp_step(now_ms - room.at_ms)
room.at_ms = now_ms

local function status_of(record)
  if not is_live(record) then return record.ended end
  return has_lapsed(record) and 'expired' or 'live'
end

local function is_wanted(json)
  if are_all_wanted then return true end
  local record = cjson.decode(json)
  if arg.status ~= '' and status_of(record) ~= arg.status then return false end
  return arg.edition == '' or (record.edition == tonumber(arg.edition)) ~= (arg.is_others == '1')
end

local cursor, more, admissions = wanted_since(tonumber(arg.cursor), limit, are_all_wanted and limit or 1000, is_wanted)
return { now_ms, room.flow_ms, room.idle_ended_ms, cursor, more, admissions }
