-- The slot of the statistics that is open, so far. Changes nothing. See core/statistics/statistics.ts.
-- Returns as `reply`: an `OpenStatistics`.

load({
  'at_ms', 'flow_ms', 'stat_slot', 'stat_flags', 'stat_base', 'stat_refused', 'stat_minute', 'stat_minute_flags', 'stat_tens',
  'stat_minutes', 'stat_served', 'stat_served_through', 'serving', 'queued', 'gaps', 'count_joined', 'count_entered', 'count_passed',
  'count_bypassed', 'count_completed', 'count_abandoned', 'count_logged_out', 'count_revoked', 'count_expired', 'count_no_shows',
  'count_left',
})
return reply(open_statistics())
