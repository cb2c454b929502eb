-- Takes consecutive positions.
-- KEYS: state, rows. ARGV: life; count (1…10,000).
-- Returns 'ok', edition, first, last, join time (claim clock), serving counter.
-- Invariant: a position is handed out once per edition; earlier arrival means a lower position.

local refusal = enter()
if refusal then return refusal end
if room.phase_reason == 'recovered' then
  save()
  return { 'recovering', 2000 }
end

local count = tonumber(arg.count)
local first = room.queued + 1
set('queued', room.queued + count)

load({ 'join_seconds' })
local second = math.floor(room.flow_ms / 1000)
local seconds = decode_list(room.join_seconds)
local last = seconds[#seconds]
if last and last[1] == second then last[2] = last[2] + count
else seconds[#seconds + 1] = { second, count } end
while seconds[1][1] <= second - 10 do table.remove(seconds, 1) end
set('join_seconds', encode_list(seconds))

save()
return { 'ok', room.edition, first, room.queued, room.claim_ms, room.serving }
