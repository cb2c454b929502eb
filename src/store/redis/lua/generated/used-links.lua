-- Generated from src/core/used-links.ts by `npm run lua`. Not to be edited.
-- Links that were used: bypass links, and those that carry a place.

--- Whether a link is good for nothing: used, over, or of a time that the room knows nothing of.
--
-- @param used those of its kind
local function is_link_void(used, link)
  if score_of(used, link.id) ~= nil then
    return true
  end
  return room.at_ms > link.expiresMs or link.madeMs < room.incarnation_started_ms or link.madeMs > room.at_ms + 5000
end

local function use_link(link)
  remove_members(key.used_links, members_between(key.used_links, 0, room.at_ms - 86400000, 100))
  set_score(key.used_links, link.id, link.expiresMs)
end

local function use_move_link(link)
  set_score(key.used_moves, link.id, link.expiresMs)
  if size_of(key.used_moves) > 100000 then
    remove_lowest(key.used_moves)
  end
end
