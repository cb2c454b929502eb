/** What became of an attempt; `missed`: events were forgotten before they could be delivered. */
export const deliveryResults = ["delivered", "failed", "given_up", "missed"] as const;
export type DeliveryResult = (typeof deliveryResults)[number];

export interface WebhookFigures {
  readonly webhook: string;
  readonly counts: Readonly<Record<DeliveryResult, number>>;
  /** Age of the oldest event that this process holds for it and has not delivered, in milliseconds; 0 for none. */
  readonly lagMs: number;
}

/** Counts deliveries of this process by webhook, and knows which events are in front. */
export class DeliveryCounts {
  readonly #counts = new Map<string, Record<DeliveryResult, number>>();
  /** By webhook and line: when the event in front happened. */
  readonly #fronts = new Map<string, Map<string, number>>();

  count(webhook: string, result: DeliveryResult): void {
    this.#of(webhook)[result]++;
  }

  /** @param atMs null: this process has nothing for it in this line, or another has its turn */
  front(webhook: string, line: string, atMs: number | null): void {
    const fronts = this.#fronts.get(webhook) ?? new Map<string, number>();
    this.#fronts.set(webhook, fronts);
    if (atMs === null) fronts.delete(line);
    else fronts.set(line, atMs);
  }

  forget(webhook: string): void {
    this.#counts.delete(webhook);
    this.#fronts.delete(webhook);
  }

  /** @param webhooks those that there are */
  figures(webhooks: readonly (readonly [id: string, ...unknown[]])[], nowMs: number): WebhookFigures[] {
    return webhooks.map(([webhook]) => {
      let oldestMs = nowMs;
      for (const atMs of this.#fronts.get(webhook)?.values() ?? []) oldestMs = Math.min(oldestMs, atMs);
      return { webhook, counts: this.#of(webhook), lagMs: nowMs - oldestMs };
    });
  }

  #of(webhook: string): Record<DeliveryResult, number> {
    const existing = this.#counts.get(webhook) ?? { delivered: 0, failed: 0, given_up: 0, missed: 0 };
    this.#counts.set(webhook, existing);
    return existing;
  }
}
