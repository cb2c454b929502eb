-- Carries an unclaimed place to another visitor, by a link that is used once.
-- KEYS: state, group, group_log, log, rows, admissions, claimed_places, left_places, held_times, holders, moves,
--   used_moves, used_entries.
-- ARGV: incarnation and what was seen of it; room; group; edition; position; entry_number and entry_draw ('' where no draw is known); joined_ms (claim
--   clock); from and to (subs); link_id, link_made_ms and link_expires_ms.
-- Returns 'ok' and the time of the move (ms), or '' where there is none. Invariant: a place has one holder. Idempotent.

local refusal = enter({ 'incarnation_started_ms', 'claim_within_ms', 'expired_through', 'change_count' })
if refusal then return refusal end

local position = tonumber(arg.position)
local moved_ms = move({
  edition = tonumber(arg.edition),
  position = position,
  number = tonumber(arg.entry_number) or position,
  drawId = tonumber(arg.entry_draw),
  joinedMs = tonumber(arg.joined_ms),
  from = arg.from,
  to = arg.to,
  link = { id = arg.link_id, madeMs = tonumber(arg.link_made_ms), expiresMs = tonumber(arg.link_expires_ms) },
})
save()
return { 'ok', text_of(moved_ms or '') }
