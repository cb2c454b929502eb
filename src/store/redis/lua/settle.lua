-- Ends a recovery and the entries of a draw whose time is over, and carries out the schedule. Every operation does so before all else, but it is
-- seldom to be done; so the others only find out that it is (enter.lua), and stay small.
-- KEYS: state, rows, live, admission_log. ARGV: incarnation.
-- Returns 'ok', or 'recover', or 'recovering' and the milliseconds that remain.

if room.incarnation == '' or room.incarnation ~= arg.incarnation or room.run_id ~= run_id() then return { 'recover' } end
advance_clocks(server_now_ms())
finish_recovery()
if room.recovering_until_ms == 0 then
  close_entries()
  settle_due_gaps()
  carry_out_schedule()
end
save()
if room.recovering_until_ms > 0 then return { 'recovering', room.recovering_until_ms - room.flow_ms } end
return { 'ok' }
