/** The integration configuration: which requests of a site its connector sends into which room. */
import { hash } from "node:crypto";
import type { QueueItSettings } from "./settings.ts";

/** Of a room, what the configuration follows from. */
export interface IntegratedRoom {
  readonly title: string;
  readonly targets: readonly string[];
  readonly admission: { readonly durationMs: number; readonly maxDurationMs: number | null };
}

type UrlPart = "PagePath" | "PageUrl" | "HostName";

interface TriggerPart {
  readonly ValidatorType: "UrlValidator";
  readonly UrlPart: UrlPart;
  readonly Operator: "Equals" | "Contains";
  readonly ValueToCompare: string;
  readonly ValuesToCompare: null;
  readonly IsNegative: false;
  readonly IsIgnoreCase: boolean;
  readonly CookieName: string;
  readonly HttpHeaderName: string;
}

export interface Trigger {
  readonly LogicalOperator: "And" | "Or";
  readonly TriggerParts: readonly TriggerPart[];
}

/**
 * As the connectors read it. The first integration counts of which a trigger matches, so rooms stand in the order of the configuration.
 *
 * @param roomOf null for a room that is not there
 * @param issuer the public address of Usher
 */
export function integrationConfig(
  { path, customerId, rooms }: Pick<QueueItSettings, "path" | "customerId" | "rooms">,
  roomOf: (id: string) => IntegratedRoom | null,
  { issuer, nowMs }: { readonly issuer: string; readonly nowMs: number },
) {
  const Integrations = [...rooms].flatMap(([eventId, id]) => {
    const room = roomOf(id);
    return room === null ? [] : [integrationOf(eventId, room, queueDomainOf(issuer, path))];
  });
  return {
    Description: "Written by Usher",
    Integrations,
    CustomerId: customerId,
    AccountId: customerId,
    // A number that connectors pass on, of which some ask that it is not 0: another one as soon as anything changes.
    Version: 1 + (Number.parseInt(hash("sha256", JSON.stringify(Integrations)).slice(0, 8), 16) % 2_000_000_000),
    PublishDate: new Date(nowMs).toISOString(),
    ConfigDataVersion: "1.0.0.3",
  };
}

/** What a connector is told as its queue domain: host, port and path, since each connector puts `https://` before it. */
export function queueDomainOf(issuer: string, path: string): string {
  return `${new URL(issuer).host}${path}`;
}

function integrationOf(eventId: string, { title, targets, admission }: IntegratedRoom, queueDomain: string) {
  const { durationMs, maxDurationMs } = admission;
  return {
    Name: title,
    ActionType: "Queue",
    EventId: eventId,
    CookieDomain: "",
    IsCookieHttpOnly: true,
    IsCookieSecure: targets.every((target) => target.startsWith("https:")),
    LayoutName: "",
    Culture: "",
    ExtendCookieValidity: maxDurationMs !== null,
    CookieValidityMinute: Math.max(1, Math.ceil(durationMs / 60_000)),
    QueueDomain: queueDomain,
    QueuePathPrefix: "",
    RedirectLogic: "AllowTParameter",
    ForcedTargetUrl: "",
    VerifyQueueIdEnabled: false,
    QueueIdUsageLimit: null,
    Triggers: triggersOf(targets),
  };
}

/** Which requests wait: those for the addresses to which visitors may be sent. */
export function triggersOf(targets: readonly string[]): Trigger[] {
  return targets.map((target) => {
    const isPrefix = target.endsWith("/*");
    const { hostname, port, pathname } = new URL(isPrefix ? target.slice(0, -1) : target);
    // Some connectors compare a port with it, and some do not.
    const host = part("HostName", port === "" ? "Equals" : "Contains", hostname, true);
    // There is no operator for a beginning: a path that has it further on waits, too.
    const path = isPrefix ? part("PagePath", "Contains", pathname) : part("PagePath", "Equals", pathname);
    return { LogicalOperator: "And", TriggerParts: isPrefix && pathname === "/" ? [host] : [host, path] };
  });
}

function part(
  UrlPart: UrlPart,
  Operator: TriggerPart["Operator"],
  ValueToCompare: string,
  IsIgnoreCase = false,
): TriggerPart {
  return {
    ValidatorType: "UrlValidator",
    UrlPart,
    Operator,
    ValueToCompare,
    ValuesToCompare: null,
    IsNegative: false,
    IsIgnoreCase,
    CookieName: "",
    HttpHeaderName: "",
  };
}
