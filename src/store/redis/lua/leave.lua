-- Voids a place for the rest of its edition.
-- KEYS: state, group, group_log, log, claimed_places, left_places, knocks, knock_times, held_times, held, holders,
--   used_entries.
-- ARGV: life and what was seen of it; room; group; sub; edition; position; entry_number and entry_draw ('' where no draw is known).
-- Returns 'ok'. Invariant: a place that was left is not admitted. Idempotent.

local refusal = enter({})
if refusal then return refusal end

local position = tonumber(arg.position)
local number = tonumber(arg.entry_number) or position

local function leave_place()
  stop_knocking(position)
  -- Nobody holds a place that was not handed out yet. One that was claimed is used up already, and one counts once.
  if number > room.queued or has_position(key.used_entries, number) then return end
  if has_position(key.claimed_places, position) or has_position(key.left_places, position) then return end
  add_position(key.left_places, position)
  count('left', 1)
end

-- Where it will stand, or stands, is not known.
local function leave_entry()
  if number > room.queued or has_position(key.used_entries, number) then return end
  add_position(key.used_entries, number)
  count('left', 1)
end

if tonumber(arg.edition) == room.edition and not is_elsewhere(number, arg.sub) then
  if is_placed(number, tonumber(arg.entry_draw)) then leave_place() else leave_entry() end
end
save()
return { 'ok' }
