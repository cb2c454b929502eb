import { memberOf } from "../../lib/json.ts";
import type { Webhook, WebhooksContent } from "./content.ts";

/** Further ones are those of other processes' files, or of earlier ones. */
const rememberedMax = 200;

/** A webhook of the configuration. */
export type WebhookOfFile = Pick<Webhook, "url" | "format" | "enabled"> & {
  readonly id: string;
  readonly rooms?: readonly string[];
  readonly types?: readonly string[];
  readonly note?: string;
  /** Those that sign, newest first. */
  readonly secrets: readonly string[];
};

/** The webhooks of the configuration. Their secrets are in this process alone, as the file or its sources have them. */
export class FileWebhooks {
  readonly #written: ReadonlyMap<string, WebhookOfFile>;
  readonly #secrets: Map<string, readonly string[]>;
  #since: WebhooksContent["of_file"];
  #all: readonly (readonly [id: string, webhook: Webhook])[] = [];

  readonly #usualTypes: readonly string[];

  /** @param usualTypes those of one that chooses none */
  constructor(written: readonly WebhookOfFile[], usualTypes: readonly string[]) {
    this.#usualTypes = usualTypes;
    this.#written = new Map(written.map((each) => [each.id, each]));
    this.#secrets = new Map(written.map(({ id, secrets }) => [id, secrets]));
  }

  has(id: string): boolean {
    return this.#written.has(id);
  }

  /** Newest first. */
  secretsOf(id: string): readonly string[] {
    return this.#secrets.get(id) ?? [];
  }

  setSecrets(id: string, secrets: readonly string[]): void {
    if (this.has(id)) this.#secrets.set(id, secrets);
  }

  /** Those of which it is known when they were seen first; the same objects while that stays so. */
  all({ of_file: since }: WebhooksContent): readonly (readonly [id: string, webhook: Webhook])[] {
    if (since === this.#since) return this.#all;
    this.#since = since;
    this.#all = [...this.#written].flatMap(([id, { url, rooms, types, format, enabled, note }]) => {
      const created_ms = memberOf(since ?? {}, id);
      if (created_ms === undefined) return [];
      const choice = {
        url,
        rooms: rooms ?? null,
        types: types ?? this.#usualTypes,
        format,
        enabled,
        note: note ?? null,
      };
      return [[id, { ...choice, secrets: [], created_by: "", created_ms, updated_ms: created_ms }] as const];
    });
    return this.#all;
  }

  /** Whether the content does not say of all when they were seen first. */
  hasNew(content: WebhooksContent): boolean {
    return this.#newIn(content).length > 0;
  }

  /** The content with those that are new; the same content where there are none. */
  withTimes(content: WebhooksContent, nowMs: number): WebhooksContent {
    const added = this.#newIn(content);
    if (added.length === 0) return content;
    const all = [...Object.entries(content.of_file ?? {}), ...added.map((id) => [id, nowMs] as const)];
    return { ...content, of_file: Object.fromEntries(all.slice(-rememberedMax)) };
  }

  #newIn({ of_file: since }: WebhooksContent): string[] {
    return [...this.#written.keys()].filter((id) => !Object.hasOwn(since ?? {}, id));
  }
}
