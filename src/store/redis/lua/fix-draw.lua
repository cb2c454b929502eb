-- Draws a closed draw if it is time.
-- KEYS: state, group, group_log, log.
-- ARGV: incarnation and what was seen of it; room; group; edition; id; seed (hex); beacon (JSON, or '' for none).
-- Returns 'ok' and '1' when it is drawn now, by whomever, else '0'. Invariant: the first outcome counts.

local refusal = enter({ 'draws', 'draw_marks' })
if refusal then return refusal end

local beacon = arg.beacon ~= '' and cjson.decode(arg.beacon) or nil
local is_drawn = fix_draw(tonumber(arg.edition), tonumber(arg.id), arg.seed, beacon)
save()
return { 'ok', is_drawn and '1' or '0' }
