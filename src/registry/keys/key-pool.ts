import { deriveDrawKey, type KeyMaterial, type MacKey, readSigningKeys, readTicketKey } from "../../config/index.ts";
import type { KeyPurpose, RegistryContent } from "../content.ts";
import { type AvailableKey, type KeyWithText, keysOf, materialOf } from "./held-keys.ts";
import { unwrapKey } from "./key-wrapping.ts";

export type SourcePurpose = Exclude<KeyPurpose, "draw">;

export type KeyPool = ReturnType<typeof createKeyPool>;

/** All keys that this process has, wherever they come from. */
export function createKeyPool(issuer: string, material: KeyMaterial) {
  let atSource: readonly AvailableKey[] = keysOf(material);
  const removed = new Map<string, AvailableKey>();
  const unwrapped = new Map<string, KeyWithText & { readonly wrapped: string }>();

  const all = () => [...atSource, ...removed.values(), ...[...unwrapped.values()].map(({ key }) => key)];
  const roots = () =>
    [...atSource, ...removed.values()].flatMap((key) => (key.purpose === "tickets" ? [key.value] : []));

  return {
    /** Those of the configuration, in its order, then those that stood there since this process started, then those made at run time. */
    get all() {
      return all();
    },
    /** Those of the configuration, in its order. */
    get atSource() {
      return atSource;
    },
    has: (kid: string) => all().some((key) => key.kid === kid),
    isAtSource: (kid: string) => atSource.some((key) => key.kid === kid),
    /** A ticket key of the configuration: one that keys may be wrapped with. */
    root: (kid: string): MacKey | undefined => roots().find((key) => key.kid === kid),
    /** What this process has unwrapped, to be wrapped anew. */
    unwrapped: (kid: string): KeyWithText | undefined => unwrapped.get(kid),
    /** The configuration has these now. What is gone from it is still verified with, until the process ends. */
    setSource(purpose: SourcePurpose, texts: readonly string[]): void {
      const next = keysOf({ ...materialOf(atSource), ...readSource(purpose, texts) });
      for (const key of atSource) removed.set(key.kid, key);
      for (const { kid } of next) removed.delete(kid);
      atSource = next;
    },
    /** Unwraps what it can, and forgets what is retired. */
    async follow({ keys }: RegistryContent): Promise<void> {
      const live = keys.filter(({ state }) => state !== "retired");
      for (const { wrapped, ...name } of live) {
        if (wrapped === null || unwrapped.get(name.kid)?.wrapped === wrapped) continue;
        const found = await unwrapKey(roots(), issuer, name, wrapped);
        // What was known before it was wrapped anew is still that key.
        if (found !== null) unwrapped.set(name.kid, { ...found, wrapped });
      }
      const liveKids = new Set(live.map(({ kid }) => kid));
      for (const kid of unwrapped.keys()) if (!liveKids.has(kid)) unwrapped.delete(kid);
    },
  };
}

function readSource(purpose: SourcePurpose, texts: readonly string[]): Partial<KeyMaterial> {
  if (purpose === "signing") return { signing: readSigningKeys(texts) };
  if (purpose === "cookies") return { cookies: texts };
  const tickets = texts.map(readTicketKey);
  return { tickets, draw: tickets.map(deriveDrawKey) };
}
