-- The twin of `voidEdition` in memory/merge.ts.

-- Begins an edition: counters at 0; places, gaps and rows void; nothing is claimed or left.
local function void_edition(edition)
  set('edition', edition)
  set('queued', 0)
  set('serving', 0)
  set('serving_high', 0)
  set('expired_through', 0)
  set('gaps', {})
  set('unsettled_from', 0)
  set('settles_ms', 0)
  redis.call('DEL', key.rows, key.claimed_places, key.left_places, key.holders, key.moves,
    key.used_moves)
  forget_draws()
end
