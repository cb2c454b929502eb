-- For wrk, with one thread: writes the position on each page into a file, in the order in which the answers came.
local file

function init(args)
  file = assert(io.open(args[1], "w"))
end

function response(status, headers, body)
  local _, last = body:find('data-position="', 1, true)
  file:write(last and body:match("^%d+", last + 1) or "0", "\n")
end
