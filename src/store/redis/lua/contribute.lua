-- Joins recovery with what a process remembers, or adopts the current incarnation. The twin of memory/contribute.ts.
-- KEYS: state, rows, admissions, live, ended, ended_logins, idle, changes, claimed_places, left_places, log, pending_claims, pending_claim_times,
--   held_times, held, holders, moves, used_moves, used_entries, admission_log.
-- ARGV: incarnation ('' for none), flow clock, edition and queue counter as the caller has seen them last; file (its settings, JSON); is_new ('1' or '0'); memory (JSON without settings, admissions and moves, or '');
--   memory_effective, memory_file, memory_live (JSON); admissions and moves (JSON arrays, at most 500 each).
-- Returns the incarnation and the milliseconds of recovery that remain (0 when there is none).
-- Invariant: counters only grow within an edition; ended admissions stay ended.

local memory = arg.memory ~= '' and as_memory(cjson.decode(arg.memory)) or nil
local admissions = memory and without_nulls(cjson.decode(arg.admissions)) or {}
local moves = memory and cjson.decode(arg.moves) or {}

-- A room that nobody remembers yet: held, edition 0, in the phase that its schedule says.
local function create_room(now_ms)
  redis.call('DEL', key.state, key.log, key.admission_log)
  for field, kind in pairs(kinds) do
    if kind == 'text' then set(field, text_defaults[field] or '') elseif kind ~= 'optional' then set(field, {}) end
  end
  for _, field in ipairs({ 'at_ms', 'flow_ms', 'claim_ms', 'born_ms', 'incarnation_started_ms' }) do set(field, now_ms) end
  set('holds', { 'recovered' })
  set('pull_shown', 5)
  set('pull_served', 5)
  set('change_count', 0)
  set('file', arg.file)
  set('live_changes', '{}')
  set('effective', arg.file)
  set_rules(decode_settings(arg.file))
  set('base_phase', phase_by_schedule())
  set('schedule_mark_ms', last_schedule_time())
  void_edition(0)
end

-- Begins a new incarnation with its recovery. What the state says already is merged like a contribution.
local function begin_recovery()
  local time = redis.call('TIME')
  set('run_id', run_id())
  set('incarnation', room.run_id .. '.' .. time[1] .. '.' .. time[2])
  set('recovering_until_ms', room.flow_ms + 2500)
  set('remembered', room.edition > 0 and 1 or 0)
  set('is_new', 0)
  set('pending_file', '')
  -- Clients resume from the number of the last change they saw, in whatever incarnation that was.
  set('change_count', math.max(room.change_count, room.at_ms * 1000))
  clear_pending_claims()
  clear_batches()
  reset_adaptive(room.load_rate, room.load_baseline_ms)
end

-- Another server, or one that was away, goes on with an old state. Its admissions have ended meanwhile.
local function catch_up(unseen_ms)
  if unseen_ms <= 0 then return end
  set('join_peak', math.max(room.join_peak, join_peak()))
  set('flow_ms', room.flow_ms + unseen_ms)
end

local function merge_memory()
  merge_counters(memory)
  merge_phase(memory)
  if memory.adaptive then merge_adaptive(memory.adaptive) end
  if memory.log then merge_log(memory.log.last, memory.log.sealed.seq, memory.log.sealed.hash) end
  merge_admissions(admissions, nil)
  merge_moves(memory.edition, memory.queued, moves)
  set('remembered', 1)
end

local function join_recovery()
  set('pending_file', arg.file)
  if memory then merge_memory()
  -- Others may remember the room that this caller takes for new; they are waited for.
  elseif arg.is_new == '1' then set('is_new', 1) end
end

-- A memory that comes when recovery is over.
local function take_late_memory()
  local was_forgotten = is_forgotten()
  if was_forgotten and is_ticket(memory) then
    merge_counters(memory)
    if room.serving > room.serving_high then add_advance() end
  elseif was_forgotten or knows_more(memory) then
    begin_recovery()
    merge_memory()
    set('pending_file', arg.file)
    return
  elseif memory.edition == room.edition then
    correct_draws(memory.draws or {})
    if is_ticket(memory) then take_number_in(memory.queued) else take_positions_in(memory) end
    if memory.serving > room.serving_high then
      set('serving', math.max(room.serving, memory.serving))
      add_advance()
    end
    local phase = room.base_phase
    merge_phase(memory)
    if room.base_phase ~= phase then follow_phase() end
  end
  merge_admissions(admissions, room.incarnation_started_ms)
  merge_moves(memory.edition, memory.queued, moves)
end

local function has_seen_this_run()
  return string.match(arg.incarnation, '^%w+') == run_id()
end

load({ 'incarnation', 'run_id', 'recovering_until_ms', 'at_ms', 'flow_ms', 'claim_ms', 'holds', 'base_phase', 'file' })
local is_known = room.incarnation ~= ''
if not is_known then create_room(server_now_ms()) end
local is_same_run = is_known and room.run_id == run_id()
local elapsed_ms = server_now_ms() - room.at_ms
local is_older = has_seen_this_run() and is_put_back()
advance_clocks(server_now_ms())
if is_known and not is_same_run then catch_up(elapsed_ms - clamp_step(elapsed_ms)) end
if not is_same_run or is_older then begin_recovery() end
if room.recovering_until_ms > 0 then join_recovery()
else
  if memory then take_late_memory() end
  -- That a visitor came with a ticket says nothing of whose file is the newer one.
  local is_start = not memory or not is_ticket(memory)
  if room.recovering_until_ms == 0 and is_start then apply_file_settings(arg.file) end
end
finish_recovery()
if room.recovering_until_ms == 0 then carry_out_schedule() end
save()
return { room.incarnation, room.recovering_until_ms == 0 and 0 or room.recovering_until_ms - room.flow_ms }
