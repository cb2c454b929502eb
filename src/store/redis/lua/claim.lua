-- Claims the admission of a place. See core/claim.ts.
-- KEYS: state, group, group_log, log, rows, admissions, live, ended, ended_logins, idle, changes, claimed_places, left_places, pending_claims,
--   pending_claim_times, held_times, held, used_links, holders, used_entries, admission_log.
-- ARGV: incarnation and what was seen of it; room; group; sub; edition; position (0 without a place); entry_number and entry_draw (from what it was drawn; '' where
--   no draw is known); joined_ms (claim clock); login (a hash, or ''); has_login ('1' or '0'); address (a short name, or ''); proof_admitted_ms, proof_expires_ms and proof_via ('' without a proof); bypass_id,
--   bypass_made_ms and bypass_expires_ms ('' without a bypass link); is_silent ('1' or '0').
-- Returns 'ok', the result, and by result: is_new ('1' or '0'), the admission's JSON, now and the flow clock (ms) and up to
--   when admissions of the idle phase have ended (ms); or retry_ms, rank and by what it is held.
-- Invariant: a place is admitted once, and so is a bypass link; no 60 s see more admissions than the limit.

local refusal = enter({
  'incarnation_started_ms', 'idle_ended_ms', 'when_idle', 'when_ended', 'expired_through', 'claim_within_ms', 'duration_ms',
  'change_count', 'log_rows_max', 'log_last', 'log_noted', 'max_active', 'shared_limit',
})
if refusal then return refusal end

local position = tonumber(arg.position)
-- What an admission goes by besides.
if position > 0 and position <= room.serving then
  load({ 'log_total', 'tat_ms', 'batches', 'outflow', 'count_entered', 'pull_came', 'logins_per_admission' })
end
local function text_or_nil(text)
  if text ~= '' then return text end
end

local answer = claim({
  sub = arg.sub,
  edition = tonumber(arg.edition),
  position = position,
  number = tonumber(arg.entry_number) or position,
  drawId = tonumber(arg.entry_draw),
  joinedMs = tonumber(arg.joined_ms),
  login = arg.has_login == '1' and arg.login or nil,
  address = text_or_nil(arg.address),
  proof = text_or_nil(arg.proof_admitted_ms) and {
    admittedMs = tonumber(arg.proof_admitted_ms), expiresMs = tonumber(arg.proof_expires_ms), via = arg.proof_via,
  },
  bypass = text_or_nil(arg.bypass_id) and {
    id = arg.bypass_id, madeMs = tonumber(arg.bypass_made_ms), expiresMs = tonumber(arg.bypass_expires_ms),
  },
  isSilent = arg.is_silent == '1',
})
save()
if answer.record then
  return {
    'ok', answer.result, answer.isNew and '1' or '0', record_text(answer.record), room.at_ms, room.flow_ms,
    room.idle_ended_ms,
  }
end
if answer.held then return { 'ok', answer.result, answer.held.retryMs, answer.rank, answer.held.by } end
return { 'ok', answer.result }
