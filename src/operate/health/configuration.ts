import { hash } from "node:crypto";
import type { UsherConfig } from "../../config/index.ts";
import { stableText } from "../../lib/json.ts";

/** By part of the configuration, a digest of it without secrets and without what is a machine's own. */
export type ConfigurationDigests = Readonly<Record<string, string>>;

/** Members that are secret, which are also reloaded at other moments, and folders, which differ from machine to machine. */
const leftOut = new Set(["clientSecret", "olderClientSecrets", "secrets", "viewsDir"]);

/** What all processes of an installation should have alike; addresses to listen on, files and the level of the log are each one's own. */
export function configurationDigests({
  issuers,
  admin,
  parts: ofFeatures,
  store,
  stores,
}: UsherConfig): ConfigurationDigests {
  const { listen, ...ofAdmin } = admin;
  const parts = {
    rooms: issuers.map(({ issuer, rooms }) => [issuer, rooms]),
    clients: issuers.map(({ issuer, clients }) => [issuer, clients]),
    themes: issuers.map(({ issuer, themes }) => [issuer, themes]),
    issuers: issuers.map(({ issuer, parts }) => [issuer, parts]),
    admin: [ofAdmin, listen !== null],
    ...Object.fromEntries(ofFeatures),
    store: stores.length === 0 ? store.type : [store.type, stores.map(({ name }) => name).toSorted()],
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, digestOf(stableText(comparable(part)))]),
  );
}

/** One digest of all parts. */
export function configurationDigest(parts: ConfigurationDigests): string {
  return digestOf(stableText(parts));
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 12);
}

function comparable(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([name, member]) => [name, comparable(member)]);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !leftOut.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]));
}
