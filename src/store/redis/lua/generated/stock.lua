-- Generated from src/core/stock.ts by `npm run lua`. Not to be edited.
-- What is left to sell, as the shop says it, and the hold of a room that is sold out: its stock is 0, or the operator's message says so.
-- While visitors may wait for what is returned, the room is paused; else its line is over, as if it had ended, until that is taken back.

--- Holds the room while it is sold out. For whatever has changed the message or the stock; a recovery does it at its end.
local function follow_stock()
  set_hold("sold_out", room.says_sold_out or room.stock_left == 0)
end

--- Takes the number that is left; null: none is told any more.
--
-- @param asOfMs when it was true, as the shop says (now), no later than now; null: it does not say. What is older than the last is ignored
local function record_stock(left, as_of_ms)
  local at_ms = as_of_ms == nil and room.at_ms or math.min(as_of_ms, room.at_ms)
  if as_of_ms ~= nil and at_ms < room.stock_as_of_ms then
    return
  end
  set("stock_left", left)
  set("stock_as_of_ms", at_ms)
  set("stock_mark", math.max(room.stock_mark + 1, room.at_ms))
  follow_stock()
end
