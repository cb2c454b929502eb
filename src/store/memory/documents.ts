import { checkDocumentText } from "../../lib/json.ts";
import type { SharedDocument, SharedDocuments } from "../contract/room-store.ts";
import type { DocumentData, MemoryData } from "./data.ts";

const settlingMs = 2_500;

/**
 * Shared documents over a plain map. A store that is not shared has nobody else to ask, and never settles; for tests
 * in which several processes share the data, it settles as Redis does (`redis/lua/lib/documents.lua`).
 */
export function createMemoryDocuments(
  data: Pick<MemoryData, "documents" | "runId">,
  isShared: boolean,
  now: () => number,
  count: (name: string) => void,
): SharedDocuments {
  function beginSettling(document: DocumentData): void {
    document.runId = data.runId;
    document.settlingUntilMs = isShared ? now() + settlingMs : 0;
  }

  /** How much longer it settles; 0 when it does not. A clock that was set back does not make it longer. */
  function settlingRemainingMs(document: DocumentData): number {
    if (document.settlingUntilMs === 0) return 0;
    if (document.settlingUntilMs - now() > settlingMs) beginSettling(document);
    if (document.settlingUntilMs <= now()) document.settlingUntilMs = 0;
    return Math.max(0, document.settlingUntilMs - now());
  }

  /** The document as it is, or one of version 0, which is not kept unless something becomes of it. */
  function load(name: string): DocumentData {
    const document = data.documents.get(name);
    if (document === undefined) return { version: 0, text: "", runId: data.runId, settlingUntilMs: 0 };
    if (document.runId !== data.runId) beginSettling(document);
    settlingRemainingMs(document);
    return document;
  }

  return {
    async exchange(name, cached) {
      if (cached !== null) checkDocumentText(name, cached.text);
      count("exchange-document");
      const document = load(name);
      if (cached === null || cached.version < document.version)
        return document.version === 0 ? null : reported(document);
      if (cached.version === document.version && cached.text === document.text) return "unchanged";
      data.documents.set(name, document);
      if (settlingRemainingMs(document) === 0) beginSettling(document);
      if (cached.version === document.version && !isGreater(cached.text, document.text)) return reported(document);
      Object.assign(document, { version: cached.version, text: cached.text });
      return "unchanged";
    },
    async replace(name, text, expectedVersion) {
      checkDocumentText(name, text);
      count("replace-document");
      const isTraceless = !data.documents.has(name);
      const document = load(name);
      if (isTraceless && expectedVersion > 0) {
        data.documents.set(name, document);
        beginSettling(document);
      }
      const remainingMs = settlingRemainingMs(document);
      if (remainingMs > 0) return { result: "settling", remainingMs };
      if (document.version !== expectedVersion) return { result: "conflict" };
      data.documents.set(name, document);
      Object.assign(document, { version: expectedVersion + 1, text });
      return { result: "ok", version: document.version };
    },
  };
}

function reported({ version, text }: DocumentData): SharedDocument {
  return { version, text };
}

function isGreater(text: string, other: string): boolean {
  return Buffer.compare(Buffer.from(text), Buffer.from(other)) > 0;
}
