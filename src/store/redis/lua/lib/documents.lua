-- Shared documents: hashes of `version`, `text`, `digest` (of the text, as the client made it), `run_id` (the server run
-- that the document was last seen under) and `settling_until_ms` (0 when it has settled). One that was never written has
-- no hash; one of which is merely known that it was lost has no `version`. The twin of memory/documents.ts.

-- The document but for its text; version 0 where there is none.
local document = {}

-- While others may still know more, nothing is replaced.
local function begin_settling()
  document.run_id = run_id()
  document.settling_until_ms = server_now_ms() + 2500
  redis.call('HSET', key.document, 'run_id', document.run_id,
    'settling_until_ms', string.format('%.0f', document.settling_until_ms))
end

-- How much longer it settles; 0 when it does not. A clock that was set back does not make it longer.
local function settling_remaining_ms()
  if document.settling_until_ms == 0 then return 0 end
  local remaining_ms = document.settling_until_ms - server_now_ms()
  if remaining_ms > 2500 then
    begin_settling()
    return 2500
  end
  if remaining_ms > 0 then return remaining_ms end
  redis.call('HSET', key.document, 'settling_until_ms', '0')
  return 0
end

-- Reads the document, and sees whether it settles.
local function load_document()
  local version, digest, of_run, until_ms =
    unpack(redis.call('HMGET', key.document, 'version', 'digest', 'run_id', 'settling_until_ms'))
  document.version = tonumber(version or 0)
  document.digest = digest or ''
  document.run_id = of_run or ''
  document.settling_until_ms = tonumber(until_ms or 0)
  if of_run and of_run ~= run_id() then begin_settling() end
  document.remaining_ms = settling_remaining_ms()
end

local function write_document(version, text, digest)
  redis.call('HSET', key.document, 'version', string.format('%.0f', version), 'text', text, 'digest', digest,
    'run_id', run_id())
end

-- Whether one text is greater than another one, byte by byte: Lua's own comparison goes by the server's locale. Halves
-- the stretch in which the first difference lies.
local function is_greater(text, other)
  local low, high = 1, math.min(#text, #other)
  if string.sub(text, 1, high) == string.sub(other, 1, high) then return #text > #other end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if string.sub(text, low, middle) == string.sub(other, low, middle) then low = middle + 1 else high = middle end
  end
  return string.byte(text, low) > string.byte(other, low)
end
