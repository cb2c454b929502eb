import { newsMax, type RecordedChange } from "../../registry/index.ts";
import type { Happening } from "./cloud-event.ts";

/** Records its changes under versions, so that any process may publish them, and each is published once. */
export interface EventSource {
  readonly name: string;
  readonly version: number;
  /** Of the latest versions. */
  readonly events: readonly (Happening & { readonly version: number })[];
  /** Whether there may have been more before the first of them. */
  readonly isCut: boolean;
}

/** A document whose content has its latest changes. */
export interface RegistryWithChanges {
  readonly version: number;
  readonly content: { readonly changes?: readonly RecordedChange[] | undefined };
}

/**
 * What was changed at run time in a registry: of an issuer its rooms, clients and keys; of the installation its admin keys, say, or what a feature has.
 * What a feature records of a change beside its kind, id and what was done (text, such as a title) is in the event's data.
 *
 * @param name alike in all processes
 */
export function registrySource(name: string, issuer: string, registry: RegistryWithChanges): EventSource {
  return {
    name,
    get version() {
      return registry.version;
    },
    get isCut() {
      return (registry.content.changes ?? []).length >= newsMax;
    },
    get events() {
      return (registry.content.changes ?? []).map((change) => eventOf(issuer, change));
    },
  };
}

function eventOf(issuer: string, change: RecordedChange) {
  const { version, at_ms, kind, id, what, purpose, role, ...told } = change;
  const common = { version, atMs: at_ms, source: issuer, subject: `${kind}s/${id}` };
  const name = `${issuer} ${version} ${kind} ${id}`;
  if (kind === "key")
    return { ...common, id: name, type: "usher.key.changed", data: { kid: id, purpose, state: what } };
  // A member that is named for the kind is told without that name.
  const more = Object.entries(told).map(([name, value]) => [name.replace(`${kind}_`, ""), value]);
  return {
    ...common,
    id: name,
    type: `usher.${kind}.${what}`,
    data: { [kind]: id, ...(role && { role }), ...Object.fromEntries(more) },
  };
}
