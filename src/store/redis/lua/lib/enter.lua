-- The beginning of every operation on a room. The twin of memory/enter.ts.

local core_fields = {
  'incarnation', 'run_id', 'recovering_until_ms', 'at_ms', 'flow_ms', 'claim_ms', 'hold_until_ms', 'edition', 'base_phase',
  'holds', 'schedule_mark_ms', 'prequeue_at_ms', 'opens_at_ms', 'closes_at_ms', 'queued', 'serving', 'gaps', 'limit',
  'shared_id', 'inlet_type', 'progress_bucket', 'progress_span_ms', 'progress_served', 'progress_entered',
  'progress_ended_early', 'starts_at_ms', 'ends_at_ms', 'log_group', 'draw_marks', 'settles_ms',
}

-- Loads the state, and `fields` with it, checks the incarnation and moves the clocks. Answers a refusal, or nil when the
-- operation may go on: `recover`; `recovering`; `settle`, when a recovery or the entries of a draw are to be ended or the
-- schedule to be carried out first, which settle.lua does; `regroup` with the id of the shared outflow in force, when the caller gave the keys
-- of another one. After the last two the caller runs the script again; it has changed nothing but the clocks.
local function enter(fields)
  for _, field in ipairs(core_fields) do fields[#fields + 1] = field end
  load(fields)
  if room.incarnation == '' or room.incarnation ~= arg.incarnation or room.run_id ~= run_id() or is_put_back() then return { 'recover' } end
  advance_clocks(server_now_ms())
  if room.recovering_until_ms > room.flow_ms then
    save()
    return { 'recovering', room.recovering_until_ms - room.flow_ms }
  end
  if room.recovering_until_ms > 0 or are_entries_over() then return { 'settle' } end
  if are_gaps_due() then return { 'settle' } end
  if is_schedule_due() then return { 'settle' } end
  if room.shared_id ~= arg.group then return { 'regroup', room.shared_id } end
  enter_group()
end
