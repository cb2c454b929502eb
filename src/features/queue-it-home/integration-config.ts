/** The integration configuration: which requests of a site its connector sends into which room. */
import { hash } from "node:crypto";
import type { WrittenRule } from "../../lib/rules/index.ts";
import { sendRules, type Trigger, urlPart } from "./rule-triggers.ts";

/** Of a home, what the configuration follows from: see `QueueItSettings`. */
export interface IntegratedHome {
  readonly path: string;
  readonly customerId: string;
  /** Ids of rooms by the ids that the connectors use. */
  readonly rooms: ReadonlyMap<string, string>;
}

/** Of a room, what the configuration follows from. */
export interface IntegratedRoom {
  readonly title: string;
  readonly targets: readonly string[];
  readonly rules: readonly WrittenRule[] | null;
  readonly admission: { readonly durationMs: number; readonly maxDurationMs: number | null };
}

/**
 * As the connectors read it. The first integration counts of which a trigger matches, so rooms stand in the order of the configuration,
 * and rules in that of the room.
 *
 * @param roomOf null for a room that is not there
 * @param issuer the public address of Usher
 */
export function integrationConfig(
  { path, customerId, rooms }: IntegratedHome,
  roomOf: (id: string) => IntegratedRoom | null,
  { issuer, nowMs }: { readonly issuer: string; readonly nowMs: number },
) {
  const queueDomain = queueDomainOf(issuer, path);
  const found = [...rooms].flatMap(([eventId, id]) => {
    const room = roomOf(id);
    return room === null ? [] : [{ ...room, id, eventId }];
  });
  const names = new Set<string>();
  const Integrations = found.flatMap((room, at) => {
    const later = laterTargets(room.id, found.slice(at + 1));
    return integrationsOf(room, later).map((integration) => {
      let name = integration.Name;
      while (names.has(name)) name += ` (${room.eventId})`;
      names.add(name);
      return { ...integration, Name: name, QueueDomain: queueDomain };
    });
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

/** What connectors make of rules that they cannot compare in full. @param at the index of the rule in its room */
export function differencesOf(
  rooms: IntegratedHome["rooms"],
  roomOf: (id: string) => Pick<IntegratedRoom, "targets" | "rules"> | null,
) {
  const found = [...new Set(rooms.values())].flatMap((id) => {
    const room = roomOf(id);
    return room === null ? [] : [{ ...room, id }];
  });
  return found.flatMap(({ id, targets, rules }, position) => {
    if (rules === null) return [];
    const later = laterTargets(id, found.slice(position + 1));
    return sendRules(rules, { targets, later }).differences.map(({ at, message }) => {
      return { room: id, at, rule: rules[at]?.name ?? "", message };
    });
  });
}

/** Addresses of the other rooms whose integrations come behind those of a room. */
function laterTargets(
  id: string,
  behind: readonly { readonly id: string; readonly targets: readonly string[] }[],
): readonly string[] {
  return behind.flatMap((room) => (room.id === id ? [] : room.targets));
}

/** One for each rule, and one for what no rule matches; of a room without rules the latter alone. */
function integrationsOf(room: IntegratedRoom & { readonly eventId: string }, later: readonly string[]) {
  const { title, targets } = room;
  const { rules, isComplete } = room.rules === null ? withoutRules : sendRules(room.rules, { targets, later });
  const ofRules = rules.map(({ name, actionType, triggers }) =>
    integrationOf(room, `${title}: ${name}`, actionType, triggers),
  );
  return isComplete ? ofRules : [...ofRules, integrationOf(room, title, "Queue", triggersOf(targets))];
}

const withoutRules = { rules: [], isComplete: false };

function integrationOf(
  { eventId, targets, admission }: IntegratedRoom & { readonly eventId: string },
  name: string,
  actionType: "Queue" | "Ignore",
  triggers: readonly Trigger[],
) {
  const { durationMs, maxDurationMs } = admission;
  return {
    Name: name,
    ActionType: actionType,
    EventId: eventId,
    CookieDomain: "",
    IsCookieHttpOnly: true,
    IsCookieSecure: targets.every((target) => target.startsWith("https:")),
    LayoutName: "",
    Culture: "",
    ExtendCookieValidity: maxDurationMs !== null,
    CookieValidityMinute: Math.max(1, Math.ceil(durationMs / 60_000)),
    QueueDomain: "",
    QueuePathPrefix: "",
    RedirectLogic: "AllowTParameter",
    ForcedTargetUrl: "",
    VerifyQueueIdEnabled: false,
    QueueIdUsageLimit: null,
    Triggers: triggers,
  };
}

/** Which requests wait: those for the addresses to which visitors may be sent. */
export function triggersOf(targets: readonly string[]): Trigger[] {
  return targets.map((target) => {
    const isPrefix = target.endsWith("/*");
    const { hostname, port, pathname } = new URL(isPrefix ? target.slice(0, -1) : target);
    // Some connectors compare a port with it, and some do not.
    const host = urlPart("HostName", port === "" ? "Equals" : "Contains", hostname, true);
    // There is no operator for a beginning: a path that has it further on waits, too.
    const path = urlPart("PagePath", isPrefix ? "Contains" : "Equals", pathname);
    return { LogicalOperator: "And", TriggerParts: isPrefix && pathname === "/" ? [host] : [host, path] };
  });
}
