-- Generated from src/core/recovery/edition.ts by `npm run lua`. Not to be edited.
-- Begins an edition: counters at 0; places, gaps and rows void; nothing is claimed or left.

local function void_edition(edition)
  set("edition", edition)
  set("queued", 0)
  set("serving", 0)
  set("serving_high", 0)
  set("expired_through", 0)
  set("gaps", {})
  set("unsettled_from", 0)
  set("settles_ms", 0)
  clear_rows(key.rows)
  clear_positions(key.claimed_places)
  clear_positions(key.left_places)
  clear_holders(key.holders)
  clear_set(key.moves)
  clear_set(key.used_moves)
  forget_draws()
end
