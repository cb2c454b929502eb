-- Blocks of addresses that the entries of a draw came from. Changes nothing.
-- ARGV: request: { from (a number), count }.
-- Returns the edition, the id of the draw that rows are kept of (0: none), the number of the first row, the queue counter, and the rows.

local first = math.max(request.from, room.blocks_from)
local last = math.min(request.from + request.count - 1, room.queued)
local rows = ''
if room.blocks_draw > 0 then rows = read_rows(key.entry_blocks, first - room.blocks_from, last - room.blocks_from) end
return { text_of(room.edition), text_of(room.blocks_draw), text_of(first), text_of(room.queued), rows }
