-- Generated from src/core/recovery/edition.ts by `npm run lua`. Not to be edited.

--- Begins an edition: counters at 0; places, gaps, draws and rows void; nothing is claimed or left; nobody is to be notified.
local function void_edition(edition)
  set("queued", 0)
  set("serving", 0)
  set("serving_high", 0)
  set("expired_through", 0)
  set("gaps", {})
  set("unsettled_from", 0)
  set("settles_ms", 0)
  set("draws", {})
  set("draw_marks", {})
  set("voids", {})
  set("void_count", 0)
  set("voided_blocks", {})
  set("voided_entries", 0)
  set("blocks_draw", 0)
  set("blocks_from", 0)
  redis.call(
    "DEL",
    key.entry_blocks,
    key.rows,
    key.claimed_places,
    key.left_places,
    key.used_entries,
    key.holders,
    key.moves,
    key.used_moves,
    key.keyed_places
  )
  clear_pushes()
  set("edition", edition)
end
