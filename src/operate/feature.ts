/**
 * A feature, as the frames know it: a folder of src/features that can be taken away. Its `feature.ts` says what it adds, and is light: what
 * runs is loaded by `load`. src/features/index.ts lists all; the composition root hands the list to the frames, which name none.
 */
import type { z } from "zod";
import type { Fault, Path, SettingsPart, UsherConfig } from "../config/index.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import type { Logger } from "../lib/logger.ts";
import type { CrawlerCheck } from "../lib/rules/index.ts";
import type { AdminKeys, IssuerRegistry, RecordedChange, Registry, RegistryFile } from "../registry/index.ts";
import type { BypassLinks, OpenRooms, RehearsalPasses } from "../room/index.ts";
import type { EventStore } from "../store/contract/room-store.ts";
import type { Store } from "../store/contract/store.ts";
import type { RouteTable } from "../web/middleware/router.ts";
import type { Pages, Theme } from "../web/pages/index.ts";
import type { RoomSitesOf } from "../web/room-sites.ts";
import type { VisitorParts } from "../web/visitor/parts.ts";
import type { AdminRoute } from "./admin-api/admin-router.ts";
import type { AuditLog } from "./audit/index.ts";
import type { EventHub } from "./events/event-hub.ts";
import { createEventTypes, type EventTypes, type EventTypeTerms } from "./events/event-types.ts";
import type { Attention } from "./health/attention/attention.ts";
import type { Read } from "./ops/metric.ts";

export interface Feature {
  /** Of its folder. */
  readonly name: string;
  /** For a reader of docs/architecture.md: what it adds, and its page. */
  readonly about: string;
  readonly page: string;
  /** Features that it imports. */
  readonly needs?: readonly string[];
  /** Its key in the configuration file. */
  readonly settings?: SettingsPart;
  /** What the part refers to of what all features declare together. @param place where the part stands in the document */
  readonly checkSettings?: (
    raw: unknown,
    place: Path,
    declared: { readonly eventTypes: EventTypes },
  ) => readonly Fault[];
  /** Types of the events that it reports. */
  readonly eventTypes?: Readonly<Record<string, EventTypeTerms>>;
  /** Codes by which it reports what is not well. */
  readonly attentionCodes?: readonly string[];
  /** What it runs in a gateway; without it nothing. */
  readonly load?: () => Promise<FeatureModule>;
}

/** What a feature runs. Routes and metrics are described without a running gateway, too, so they are made apart from it. */
export interface FeatureModule<Running extends RunningFeature = RunningFeature> {
  readonly start: (gateway: Gateway) => Running;
  readonly adminRoutes?: (running: NoInfer<Running>) => AdminRoute[];
  /** What it answers to the visitors of an issuer, and to programs that need no key. */
  readonly visitorRoutes?: (running: NoInfer<Running>, site: VisitorSite) => RouteTable;
  readonly addMetrics?: (read: Read, running: NoInfer<Running>) => void;
  readonly health?: FeatureHealth;
}

/** Types of a module's parts fit together; the frames need not know them. */
export function featureModule<Running extends RunningFeature>(module: FeatureModule<Running>): FeatureModule {
  return module as unknown as FeatureModule;
}

/** What the gateway hands to each feature. */
export interface Gateway {
  readonly config: UsherConfig;
  /** What features add to the configuration, with its values: see `settingsOf`. */
  readonly parts: readonly SettingsPart[];
  readonly rooms: OpenRooms;
  /** At least one. */
  readonly issuers: readonly IssuerRegistry[];
  /** Of a room, which there is: its issuer, with what that signs links and passes by. */
  readonly issuerOf: (room: string) => GatewayIssuer;
  /** Of what belongs to no room. */
  readonly store: Store;
  /** Of all stores. */
  readonly eventStore: EventStore;
  readonly events: Pick<EventHub, "lines" | "lastOf" | "subscribe" | "asCloudEvent">;
  readonly eventTypes: EventTypes;
  readonly adminKeys: AdminKeys;
  readonly audit: Pick<AuditLog, "record">;
  /** Of all issuers. */
  readonly pages: Pages;
  /** What was made or changed at run time, those documents of features among it: what a backup has of an installation. */
  readonly registries: () => readonly { readonly registry: FollowedRegistry }[];
  /** Calls `listener` with what a source of secrets has now, each time that it changes. See `SettingsPart.followedSecrets`. */
  readonly followSecrets: (part: SettingsPart, listener: (name: string, secrets: readonly string[]) => void) => void;
  /** Beside the secrets file: the copy of a document that all processes share. */
  readonly fileOf: (document: string) => RegistryFile;
  /** Of the program. */
  readonly version: string;
  /** Names this process. */
  readonly processName: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface GatewayIssuer extends IssuerRegistry {
  readonly bypassLinks: BypassLinks;
  readonly rehearsalPasses: RehearsalPasses;
  readonly sitesOf: RoomSitesOf;
}

/** What visitors of one issuer meet. */
export interface VisitorSite extends VisitorParts {
  /** Of the issuer's pages that belong to no room. */
  readonly theme: Theme | undefined;
  /** Tag of the language that all its rooms have in common; undefined for none. */
  readonly usualLanguage: () => string | undefined;
}

/** A document that all processes follow. */
export type FollowedRegistry = Pick<
  Registry<{ readonly changes?: readonly RecordedChange[] | undefined }>,
  "name" | "version" | "fault" | "content" | "refresh" | "start" | "stop"
>;

export interface RunningFeature {
  /** They are followed, told as events, and part of a backup. */
  readonly registries?: readonly FollowedRegistry[];
  /** This process's figures for all others, by the schema of the feature's `health`. */
  describe?(): unknown;
  /** Whether a client of a site is the crawler that it says it is, for the rules of rooms. One feature can say it. */
  readonly isCrawler?: CrawlerCheck;
  /** Once the stores answer, or are known to be away; before the gateway listens. A failure is logged. */
  prepare?(): Promise<void>;
  /** Once the gateway listens. */
  start?(): void;
  stop?(): Promise<void>;
}

/** What processes report to each other of a feature, and what of that is not well. */
export interface FeatureHealth<Self = unknown, Answer = unknown> {
  /** Of one process. What another build says otherwise counts as `z.catch` says. */
  readonly self: z.ZodType<Self>;
  /** @param selves of the processes that run @param nowMs of the store */
  attention(selves: readonly Self[], nowMs: number): Attention[];
  /** Its member of the answer of `GET /admin/health`, for those who see all of it. */
  readonly member: string;
  readonly answer: z.ZodType<Answer>;
  answerOf(selves: readonly Self[]): Answer;
}

export function featureHealth<Self, Answer>(health: FeatureHealth<Self, Answer>): FeatureHealth {
  return health as unknown as FeatureHealth;
}

/** What features add to the configuration file, with all checks. */
export function settingsPartsOf(features: readonly Feature[]): readonly SettingsPart[] {
  const eventTypes = createEventTypes(features.map((feature) => feature.eventTypes ?? {}));
  return features.flatMap(({ settings, checkSettings }) =>
    settings === undefined
      ? []
      : {
          ...settings,
          check: (raw: unknown, place: Path) => [
            ...(settings.check?.(raw, place) ?? []),
            ...(checkSettings?.(raw, place, { eventTypes }) ?? []),
          ],
        },
  );
}
