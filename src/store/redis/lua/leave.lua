-- Voids a place for the rest of its edition.
-- KEYS: state, group, group_log, log, claimed_places, left_places, pending_claims, pending_claim_times, held_times, held, holders,
--   used_entries.
-- ARGV: incarnation and what was seen of it; room; group; sub; edition; position; entry_number and entry_draw ('' where no draw is known).
-- Returns 'ok'. Invariant: a place that was left is not admitted. Idempotent.

local refusal = enter({})
if refusal then return refusal end

local position = tonumber(arg.position)
local number = tonumber(arg.entry_number) or position
leave(arg.sub, tonumber(arg.edition), position, number, tonumber(arg.entry_draw))
save()
return { 'ok' }
