-- Moves a mark of the admission log on, if it still stands where the caller saw it.
-- KEYS: state, admission_log.
-- ARGV: mark ('sealed' or 'base'); from_seq and from_hash, where it stands; to_seq and to_hash, where it is to stand.
-- Returns 'moved' or 'not'.
-- Invariant: base <= sealed <= the last row; what is forgotten was sealed.

load({ 'log_last', 'log_sealed_seq', 'log_sealed_hash', 'log_base_seq', 'log_base_hash' })
local seq_field, hash_field = 'log_' .. arg.mark .. '_seq', 'log_' .. arg.mark .. '_hash'
local from_seq, to_seq = tonumber(arg.from_seq), tonumber(arg.to_seq)
local most = arg.mark == 'sealed' and room.log_last or room.log_sealed_seq
if room[seq_field] ~= from_seq or room[hash_field] ~= arg.from_hash or to_seq <= from_seq or to_seq > most then
  return { 'not' }
end
set(seq_field, to_seq)
set(hash_field, arg.to_hash)
save()
if arg.mark == 'base' then
  redis.call('XTRIM', key.admission_log, 'MINID', text_of(to_seq + 1) .. '-0')
end
return { 'moved' }
