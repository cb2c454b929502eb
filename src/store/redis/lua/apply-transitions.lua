-- Carries out what is due before an operation. It seldom is; so the others only find out (enter.lua), and stay small.
-- ARGV: request: { seen }. Returns 'ok', or 'recover', or 'recovering' and the milliseconds that remain.

local incarnation = request.seen.incarnation
if room.incarnation == '' or room.incarnation ~= incarnation or room.run_id ~= run_id() then return { 'recover' } end
advance_clocks(server_now_ms())
apply_transitions()
save()
if room.recovering_until_ms > 0 then return { 'recovering', room.recovering_until_ms - room.flow_ms } end
return { 'ok' }
