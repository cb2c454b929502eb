-- Answers whose the store is. One that is nobody's takes the caller's name, and a name that it shares takes what is new of the caller's.
-- KEYS: installation (a hash: issuers and ticket_keys, JSON lists; since_ms, when it was named; taken, how often it was taken over);
-- fingerprints (see agree-on-keys.lua; of the same slot). ARGV: issuers, ticket_keys (the caller's, JSON lists); since_ms, taken, seen_ms (of the
-- name that it belonged to here last, '0', '-1' and '0' for none, and when it did); may_name ('0': it has seen that the store is another's); takes_over ('1': by an operator's word).
-- Returns 'member', 'stranger' or 'nobody'; issuers, ticket_keys, since_ms and taken of the name, as it is now; of a stranger's take-over as it was; the time.
-- Invariant: for a stranger nothing is written. Of two names the one that was taken over more often stays; else the older one, where the newer was given after the
-- caller belonged here: an older name of another store, to which the caller was led before, counts for nothing in this one.

-- So much may the clocks of a server and of the one that takes its place differ.
local clocks_ms = 60000

local issuers, ticket_keys = cjson.decode(arg.issuers), cjson.decode(arg.ticket_keys)
local text, keys_text, since_ms, taken =
  unpack(redis.call('HMGET', key.installation, 'issuers', 'ticket_keys', 'since_ms', 'taken'))
local named = { issuers = {}, ticket_keys = {}, since_ms = tonumber(since_ms or 0), taken = tonumber(taken or -1) }
if text then named.issuers, named.ticket_keys = cjson.decode(text), cjson.decode(keys_text) end

local function shares(ones, others)
  for _, one in ipairs(ones) do
    for _, other in ipairs(others) do if one == other then return true end end
  end
  return false
end

-- The caller's first, then the others, at most so many.
local function together(ones, others, most)
  local all, has = {}, {}
  for _, list in ipairs({ ones, others }) do
    for _, word in ipairs(list) do
      if not has[word] and (#all < most or list == ones) then
        all[#all + 1] = word
        has[word] = true
      end
    end
  end
  return all
end

local function write(name)
  redis.call('HSET', key.installation, 'issuers', cjson.encode(name.issuers), 'ticket_keys', cjson.encode(name.ticket_keys),
    'since_ms', string.format('%.0f', name.since_ms), 'taken', string.format('%.0f', name.taken))
end

local function answer(result, name)
  return {
    result, table.concat(name.issuers, ' '), table.concat(name.ticket_keys, ' '),
    string.format('%.0f', name.since_ms), string.format('%.0f', name.taken), string.format('%.0f', server_now_ms()),
  }
end

if arg.takes_over == '1' then
  write({ issuers = issuers, ticket_keys = ticket_keys, since_ms = server_now_ms(), taken = named.taken + 1 })
  redis.call('DEL', key.fingerprints)
  return answer('member', named)
end

local known = { since_ms = tonumber(arg.since_ms), taken = tonumber(arg.taken), seen_ms = tonumber(arg.seen_ms) }
local is_member = shares(issuers, named.issuers) and shares(ticket_keys, named.ticket_keys)
-- The caller's name was lost, or is of before: what was written over it meanwhile is a mistake.
local is_lost = known.taken > named.taken
  or known.taken >= 0 and known.taken == named.taken and known.since_ms < named.since_ms
    and named.since_ms > known.seen_ms - clocks_ms
if text and not is_member and not is_lost then return answer('stranger', named) end
if not text and arg.may_name == '0' then return answer('nobody', named) end

-- Keys that processes agreed on before any named the store.
if not text and known.taken < 0 then
  local agreed = {}
  for purpose, kid in pairs(cjson.decode(redis.call('GET', key.fingerprints) or '{}')) do
    if string.find(purpose, '^tickets') then agreed[#agreed + 1] = kid end
  end
  if #agreed > 0 and not shares(ticket_keys, agreed) then
    named.ticket_keys = agreed
    return answer('stranger', named)
  end
end

local name = { since_ms = named.since_ms, taken = math.max(0, named.taken) }
if is_lost then name.since_ms, name.taken = known.since_ms, known.taken
elseif not text then name.since_ms = server_now_ms() end
if not is_member then named.issuers, named.ticket_keys = {}, {} end
name.issuers = together(issuers, named.issuers, 1000)
name.ticket_keys = together(ticket_keys, named.ticket_keys, 100)
local is_whole = is_member and not is_lost and #name.issuers == #named.issuers and #name.ticket_keys == #named.ticket_keys
if not is_whole then write(name) end
return answer('member', name)
