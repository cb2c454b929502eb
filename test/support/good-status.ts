/** A room's public status, as far as pages read it. */
export const goodStatus = {
  ...{ room: "tickets", title: "Tickets", phase: "open", phase_reason: null, availability: "ready" },
  ...{ serving: 10, waiting: 20, edition: 1, gaps: [[1, 2]], draw: null, held_until: null, presence_share: 1 },
  ...{ prequeue_at: null, opens_at: null, stock: null, message: null, message_severity: null, messages: null },
  pace: {
    ...{ steps: [[60, 100]], places_per_minute: null, show_rate: 1, spread: 0.3, spread_up: 0.3, extra_seconds: 0 },
    ...{ called: 0, note: null },
  },
  poll: { floor_ms: 1_000, near_ceiling_ms: 15_000, ceiling_ms: 60_000, divisor: 10, spread_ms: 1_000 },
  updated_at: "2030-01-01T00:00:00.000Z",
};
