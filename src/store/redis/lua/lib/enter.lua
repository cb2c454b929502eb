-- The frame of operations on a room.

-- ARGV of all operations: room; group, the id of the shared outflow whose keys are given, '' for none; request (JSON; what is null is
-- missing), with `seen` (see `Seen`).
local request = cjson.decode(arg.request)

-- The beginning of every operation. Checks the incarnation and moves the clocks. Answers a refusal, or nil when the operation may go on: `recover`; `recovering`; `elsewhere`, where another run of a server has written the state, with its id and
-- what this server says of itself: a loss, unless a Cluster's slot was moved here; `transitions_due`, when something is to be carried out
-- first, which apply-transitions.lua does; `wrong_group` with the id of the shared outflow in force, when the caller gave the keys
-- of another one. After the last two the caller runs the script again; it has changed nothing but the clocks.
local function enter()
  local seen = request.seen
  if room.incarnation == '' or room.incarnation ~= seen.incarnation or is_put_back(seen) then return { 'recover' } end
  if room.run_id ~= run_id() then
    return { 'elsewhere', room.run_id, redis.call('INFO', 'server') .. redis.call('INFO', 'replication') }
  end
  advance_clocks(server_now_ms())
  if room.recovering_until_ms > room.flow_ms then
    save()
    return { 'recovering', room.recovering_until_ms - room.flow_ms }
  end
  if are_transitions_due() then return { 'transitions_due' } end
  if room.shared_id ~= arg.group then return { 'wrong_group', room.shared_id } end
  enter_group()
end

-- 'ok', what the operation answers as JSON, and the times by which admissions are judged: now, the flow clock (ms), and up to when
-- admissions of the idle phase have ended.
local function reply(answer)
  return { 'ok', cjson.encode(answer), room.at_ms, room.flow_ms, room.idle_ended_ms }
end

local function operate(operation)
  local refusal = enter()
  if refusal then return refusal end
  local answer = operation()
  save()
  return reply(answer)
end

-- Of the room as it is now, though nothing is written.
local function as_of_now()
  local now_ms = server_now_ms()
  room.flow_ms = room.flow_ms + clamp_step(now_ms - room.at_ms)
  room.at_ms = now_ms
end
