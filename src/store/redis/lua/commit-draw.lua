-- Publishes what binds the seed of the draw that waits for it, or of the next one.
-- KEYS: state, group, group_log, log.
-- ARGV: incarnation and what was seen of it; room; group; edition; id; key_id; commitment; chain (JSON).
-- Returns 'ok'. Invariant: of a draw that has begun the first commitment counts.

local refusal = enter({ 'draws', 'draw_marks' })
if refusal then return refusal end

commit_draw(tonumber(arg.edition), tonumber(arg.id), arg.key_id, arg.commitment, cjson.decode(arg.chain))
save()
return { 'ok' }
