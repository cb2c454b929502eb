-- Goes on with a room whose slot was moved to this node of a Cluster, which the caller has made sure of; see slot-moves.ts.
-- ARGV: request: { seen, from, to, replication } (run ids of the node that the state names, and of this one; the id of this one's data). Returns 'followed' or
-- 'other', where nothing was changed: the state, or the node, is not the one that the caller looked at.
-- Invariant: nobody has seen a later state than the one that goes on.

local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
if room.run_id ~= request.from or run_id() ~= request.to or id ~= request.replication then return { 'other' } end
if room.incarnation ~= request.seen.incarnation or is_put_back(request.seen) then return { 'other' } end
go_on_from(request.from)
set('run_id', request.to)
save()
return { 'followed' }
