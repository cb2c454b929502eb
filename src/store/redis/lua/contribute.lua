-- Joins recovery with what a process remembers, or adopts the current incarnation. See core/recovery/contribute.ts.
-- ARGV: request: an `Offer`, of which gaps and lapses are rows (at most 500 admissions, and as many moves).
-- Returns the incarnation and the milliseconds of recovery that remain (0 when there is none).
-- Invariant: counters only grow within an edition; ended admissions stay ended.

local remaining_ms = contribute(request, {
  runId = run_id(), nowMs = server_now_ms(), nextNumber = server_now_us(), isShared = true, isLogWhole = false,
})
save()
return { room.incarnation, remaining_ms }
