-- Generated from src/core/tick.ts by `npm run lua`. Not to be edited.
-- Keeps the room moving: inlet, lapses and pruning, each bounded. Nothing is counted twice, however many call.

local function move_room()
  prune_pending_claims(1000)
  prune_log(room)
  lapse_admissions(500)
  prune_unaccounted()
  record_demand(people_waiting() > 0 or size_of(key.pending_claims) > 0)
  adapt_rate()
  run_inlet()
  expire_advances(500)
  prune_ended(500)
  log_situation()
  log_counts()
  publish_news()
end
