-- Takes consecutive positions, and serves those that need not wait.
-- KEYS: state, group, group_log, log, rows, live, knocks, knock_times, held_times, held.
-- ARGV: life and what was seen of it; room; group; count (1…10,000).
-- Returns 'ok', edition, first, last, refusal ('full', 'closed' or ''), join time (claim clock), serving counter.
-- Invariant: a position is handed out once per edition; earlier arrival means a lower position.

local refusal = enter({ 'max_waiting', 'join_seconds', 'count_joined' })
if refusal then return refusal end
if is_forgotten() or lacks_commitment() then
  save()
  return { 'recovering', 2000 }
end

local function note_joins(joined)
  local second = math.floor(room.flow_ms / 1000)
  local seconds = room.join_seconds
  local last = seconds[#seconds]
  if last and last[1] == second then last[2] = last[2] + joined
  else seconds[#seconds + 1] = { second, joined } end
  while seconds[1][1] <= second - 10 do table.remove(seconds, 1) end
  set('join_seconds', seconds)
end

local asked = tonumber(arg.count)
local has_line = room.base_phase == 'open' or room.base_phase == 'prequeue'
local waiting = people_waiting()
local open = math.max(0, room.serving - room.queued)
local at_once = has_line and waiting == 0 and open == 0 and places_served_at_once() or 0
local left = room.max_waiting and open + at_once + math.max(0, room.max_waiting - waiting) or asked
local granted = has_line and math.min(asked, left) or 0

local first = room.queued + 1
if granted > 0 then
  set('queued', room.queued + granted)
  count('joined', granted)
  note_joins(granted)
  if open > 0 then
    add_taken_places(first - 1)
    add_batch(first - 1, math.min(room.serving, room.queued), 'inlet')
  end
  serve(math.min(at_once, granted))
end
save()
local why = not has_line and 'closed' or granted < asked and 'full' or ''
return { 'ok', room.edition, first, room.queued, why, room.claim_ms, room.serving }
