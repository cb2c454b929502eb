-- The slot of the statistics that is open, so far. Changes nothing. See core/statistics/statistics.ts.
-- Returns as `reply`: an `OpenStatistics`.

return reply(open_statistics())
