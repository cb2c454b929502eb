-- Carries an unclaimed place to another visitor, by a link that is used once.
-- KEYS: state, group, group_log, log, rows, admissions, claimed_places, left_places, held_times, holders, moves,
--   used_moves, used_entries.
-- ARGV: life and what was seen of it; room; group; edition; position; entry_number and entry_draw ('' where no draw is known); joined_ms (claim
--   clock); from and to (subs); link_id, link_made_ms and link_expires_ms.
-- Returns 'ok' and the time of the move (ms), or '' where there is none. Invariant: a place has one holder. Idempotent.

local refusal = enter({ 'life_started_ms', 'claim_within_ms', 'expired_through', 'change_count' })
if refusal then return refusal end

local position = tonumber(arg.position)
local number = tonumber(arg.entry_number) or position

-- Whether nobody may claim the place any more, or never might.
local function is_over()
  if tonumber(arg.edition) ~= room.edition or number > room.queued or has_position(key.used_entries, number) then return true end
  if not is_placed(number, tonumber(arg.entry_draw)) then return false end
  if has_position(key.left_places, position) then return true end
  if was_claimed(position, number, arg.from, read_record(key.admissions, arg.from)) then return true end
  return position <= room.serving and has_expired(position, tonumber(arg.joined_ms))
end

local function move()
  if is_over() then return '' end
  local holder = read_holder(key.holders, number)
  if holder and holder.sub == arg.to then return holder.movedMs end
  local link = { id = arg.link_id, madeMs = tonumber(arg.link_made_ms), expiresMs = tonumber(arg.link_expires_ms) }
  if is_elsewhere(number, arg.from) or is_link_void(key.used_moves, link) then return '' end
  use_move_link(link)
  return put_move(number, arg.to)
end

local moved_ms = move()
save()
return { 'ok', text_of(moved_ms) }
