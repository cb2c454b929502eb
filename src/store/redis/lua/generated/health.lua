-- Generated from src/core/health.ts by `npm run lua`. Not to be edited.
-- What one process heard of the room's health URL: so many in a row set the hold `unhealthy`, and so many lift it.

local function report_health(is_healthy)
  if room.unhealthy_after == nil or room.healthy_after == nil then
    return
  end
  set("health_reported_ms", room.flow_ms)
  set("health_failures", is_healthy and 0 or room.health_failures + 1)
  set("health_successes", is_healthy and room.health_successes + 1 or 0)
  if room.health_failures >= room.unhealthy_after then
    set_hold("unhealthy", true)
  end
  if room.health_successes >= room.healthy_after then
    set_hold("unhealthy", false)
  end
end
