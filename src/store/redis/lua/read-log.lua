-- Rows of the admission log behind a number, oldest first. Changes nothing.
-- KEYS: state, admission_log. ARGV: after (a number); limit.
-- Returns the number of the last row, number and hash of the sealed head and of the base, how many rows are kept, and of
--   each row number and text by turns.

load({ 'log_last', 'log_sealed_seq', 'log_sealed_hash', 'log_base_seq', 'log_base_hash' })
local rows = {}
local from = text_of(tonumber(arg.after) + 1) .. '-0'
for _, entry in ipairs(redis.call('XRANGE', key.admission_log, from, '+', 'COUNT', arg.limit)) do
  rows[#rows + 1] = string.match(entry[1], '^%d+')
  rows[#rows + 1] = entry[2][2]
end
return {
  text_of(room.log_last), text_of(room.log_sealed_seq), room.log_sealed_hash, text_of(room.log_base_seq),
  room.log_base_hash, redis.call('XLEN', key.admission_log), rows,
}
