-- Draws a closed draw if it is time.
-- KEYS: state, group, group_log, log, used_entries.
-- ARGV: life and what was seen of it; room; group; edition; id; seed (hex); beacon (JSON, or '' for none).
-- Returns 'ok' and '1' when it is drawn now, by whomever, else '0'. Invariant: the first outcome counts.

local refusal = enter({ 'draws', 'draw_marks' })
if refusal then return refusal end

local function fix(draws)
  local draw = draw_of(draws, tonumber(arg.id))
  if not draw or draw.stage ~= 'closed' then return draw ~= nil and draw.stage == 'drawn' end
  -- Every process knows the last number by then; a beacon that was announced is waited for.
  local wait_ms = draw.usesBeacon and arg.beacon == '' and 30000 or 2500
  if room.flow_ms < draw.atFlowMs + wait_ms then return false end
  draw.stage, draw.seed = 'drawn', arg.seed
  draw.beacon = draw.usesBeacon and arg.beacon ~= '' and cjson.decode(arg.beacon) or nil
  put_draws(draws)
  return true
end

local is_drawn = tonumber(arg.edition) == room.edition and fix(room_draws())
save()
return { 'ok', is_drawn and '1' or '0' }
