import type { MacKey } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { superseded, unexpired } from "../../lib/secret-rotation.ts";
import { createRegistry, type RegistryOptions } from "../../registry/index.ts";
import { type Webhook, type WebhooksContent, webhooksContent, withWebhookChanges } from "./content.ts";
import { FileWebhooks, type WebhookOfFile } from "./file-webhooks.ts";
import { newWebhookSecret, openSecret, sealedWith, sealSecret } from "./signing.ts";

export type WebhookEvent = {
  readonly event: "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated";
  readonly webhook: string;
  readonly admin: string;
};

/** What an operator chooses of a webhook. */
export type WebhookChoice = Pick<Webhook, "url" | "rooms" | "types" | "format" | "enabled" | "note">;

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The document's name in the store. */
export const webhooksName = "webhooks";
const webhooksMax = 50;
const idBytes = 8;

/** The webhooks, alike at all processes. Their secrets are sealed with a ticket key. */
export function createWebhooks(
  options: Omit<RegistryOptions<WebhooksContent>, "kind" | "name" | "report"> & {
    /** Ticket keys, of which the first seals: what all processes share. */
    readonly roots: () => readonly MacKey[];
    readonly ofFile: readonly WebhookOfFile[];
    /** Types that one is sent which chooses none. */
    readonly usualTypes: readonly string[];
    readonly clock: Clock;
    readonly random: Random;
    readonly report: RegistryOptions<WebhooksContent>["report"] & ((event: WebhookEvent) => void);
  },
) {
  const { roots, clock, random, report } = options;
  const registry = createRegistry({
    ...options,
    kind: webhooksContent,
    name: webhooksName,
    annotate: (before, after, version) => withWebhookChanges(before, after, version, clock.now()),
  });

  const ofFile = new FileWebhooks(options.ofFile, options.usualTypes);
  const all = (): readonly (readonly [id: string, webhook: Webhook])[] => {
    const created = Object.entries(registry.content.webhooks);
    return [...ofFile.all(registry.content), ...created.filter(([id]) => !ofFile.has(id))];
  };

  return {
    registry,
    /** Those of the configuration first. One of these wins over one that was made at run time. */
    get all() {
      return all();
    },
    /** @throws UsherError `not_found` */
    find(id: string): Webhook {
      const [, webhook] = all().find(([otherId]) => otherId === id) ?? [];
      if (webhook === undefined) throw noSuchWebhook();
      return webhook;
    },
    isOfFile: (id: string): boolean => ofFile.has(id),
    /** What this process's sources of secrets have now. */
    setFileSecrets: (id: string, secrets: readonly string[]): void => ofFile.setSecrets(id, secrets),
    /** Records when those of the configuration were first seen. @throws UsherError `conflict`, `store_unavailable` */
    async recordFileWebhooks(): Promise<void> {
      if (ofFile.hasNew(registry.content)) await registry.update((content) => ofFile.withTimes(content, clock.now()));
    },
    /** Those that sign now, newest first; empty where this process cannot open them. */
    secretsOf(id: string, { secrets }: Webhook): string[] {
      if (ofFile.has(id)) return [...ofFile.secretsOf(id)];
      const nowMs = clock.now();
      return unexpired(secrets, nowMs).flatMap(({ sealed }) => openSecret(roots(), id, sealed) ?? []);
    },
    /** Answers the id and the secret, which nobody can learn later. @throws UsherError `conflict`, `store_unavailable` */
    async create(choice: WebhookChoice, admin: string): Promise<{ readonly id: string; readonly secret: string }> {
      const id = random.bytes(idBytes).toString("hex");
      const secret = newWebhookSecret(random);
      await change((webhooks, nowMs) => {
        if (Object.keys(webhooks).length >= webhooksMax) {
          throw new UsherError("conflict", `there are ${webhooksMax} webhooks, and no more can be: delete some`);
        }
        const times = { created_by: admin, created_ms: nowMs, updated_ms: nowMs };
        return { ...webhooks, [id]: { ...choice, secrets: [sealed(id, secret, nowMs)], ...times } };
      });
      report({ event: "webhook.created", webhook: id, admin });
      return { id, secret };
    },
    async update(id: string, make: (before: Webhook) => WebhookChoice, admin: string): Promise<void> {
      refuseOfFile(id);
      await change((webhooks, nowMs) => {
        const before = find(webhooks, id);
        return { ...webhooks, [id]: { ...before, ...make(before), updated_ms: nowMs } };
      });
      report({ event: "webhook.updated", webhook: id, admin });
    },
    async remove(id: string, admin: string): Promise<void> {
      refuseOfFile(id);
      await change((webhooks) => {
        find(webhooks, id);
        const { [id]: _, ...others } = webhooks;
        return others;
      });
      report({ event: "webhook.deleted", webhook: id, admin });
    },
    /** @param overlapMs how long the secret before it goes on signing, too */
    async rotate(id: string, overlapMs: number, admin: string) {
      refuseOfFile(id);
      const secret = newWebhookSecret(random);
      const changed = await change((webhooks, nowMs) => {
        const before = find(webhooks, id);
        const older = superseded(before.secrets, nowMs, overlapMs).slice(0, 2);
        return { ...webhooks, [id]: { ...before, secrets: [sealed(id, secret, nowMs), ...older], updated_ms: nowMs } };
      });
      report({ event: "webhook.secret_rotated", webhook: id, admin });
      return { secret, previousExpiresMs: changed.webhooks[id]?.secrets[1]?.expires_ms ?? null };
    },
    /** Seals anew what was sealed with a key that seals no more: one day that is gone. */
    async reseal(): Promise<void> {
      const first = roots()[0];
      const isOld = ({ secrets }: Webhook) => secrets.some((each) => sealedWith(each.sealed) !== first?.kid);
      if (first === undefined || !Object.values(registry.content.webhooks).some(isOld)) return;
      await change((webhooks) => {
        const renewed = Object.entries(webhooks).map(([id, webhook]) => {
          const secrets = webhook.secrets.map((each) => {
            const secret = openSecret(roots(), id, each.sealed);
            const isCurrent = sealedWith(each.sealed) === first.kid;
            return secret === null || isCurrent ? each : { ...each, sealed: sealSecret(first, id, secret, random) };
          });
          return [id, { ...webhook, secrets }] as const;
        });
        const next = Object.fromEntries(renewed);
        return JSON.stringify(next) === JSON.stringify(webhooks) ? webhooks : next;
      });
    },
  };

  /** @throws UsherError `conflict` */
  function refuseOfFile(id: string): void {
    if (!ofFile.has(id)) return;
    throw new UsherError(
      "conflict",
      "this webhook is in the configuration: change it there, and restart the processes",
    );
  }

  function sealed(id: string, secret: string, nowMs: number) {
    const [root] = roots();
    if (root === undefined) throw new TypeError("there is no ticket key");
    return { sealed: sealSecret(root, id, secret, random), created_ms: nowMs, expires_ms: null };
  }

  /** `make` may be called again with newer ones. */
  function change(
    make: (webhooks: WebhooksContent["webhooks"], nowMs: number) => WebhooksContent["webhooks"],
  ): Promise<WebhooksContent> {
    return registry.update((content) => {
      const webhooks = make(content.webhooks, clock.now());
      return webhooks === content.webhooks ? content : { ...content, webhooks };
    });
  }
}

function find(webhooks: WebhooksContent["webhooks"], id: string): Webhook {
  const webhook = Object.hasOwn(webhooks, id) ? webhooks[id] : undefined;
  if (webhook === undefined) throw noSuchWebhook();
  return webhook;
}

function noSuchWebhook(): UsherError {
  return new UsherError("not_found", "there is no webhook of this id: GET /admin/webhooks lists them");
}
