import { UsherError } from "../lib/errors.ts";
import { repeat } from "../lib/repeat.ts";
import type { SharedDocument, SharedDocuments } from "../store/contract/room-store.ts";
import type { ContentKind, RegistryContent } from "./content.ts";
import type { RegistryEvent } from "./events.ts";
import type { RegistryFile } from "./registry-file.ts";

export interface RegistryOptions<Content> {
  readonly kind: ContentKind<Content>;
  readonly documents: SharedDocuments;
  /** The document's name in the store. */
  readonly name: string;
  readonly file: RegistryFile;
  /** Notes in a content what the change to it was. @param version that it will have */
  readonly annotate?: (before: Content, after: Content, version: number) => Content;
  /** Whether a change may reach the file later, with others. Default: none. */
  readonly isMinor?: (before: Content, after: Content) => boolean;
  readonly report: (event: RegistryEvent) => void;
}

export type Registry<Content = RegistryContent> = ReturnType<typeof createRegistry<Content>>;

const refreshMs = 1_000;
/** Each is lost to a change of another process, which may have many to make. */
const attemptsMax = 32;
/** So often a copy that could not be written is tried again, and minor changes are written. */
const refreshesPerFileAttempt = 30;

/** What is changed at run time, of an issuer say: one document, alike in all processes within seconds. */
export function createRegistry<Content>(options: RegistryOptions<Content>) {
  const { kind, documents, name, file, annotate, isMinor, report } = options;
  let current: SharedDocument | null = null;
  let content = kind.empty;
  /** A document in force that this process cannot read. */
  let unreadable: SharedDocument | null = null;
  let isFileBroken = false;
  /** What this machine's copy said is lost, as long as the store says nothing. */
  let isCopyLost = false;
  /** Minor changes are not in it. */
  let isFileBehind = false;
  let refreshesSinceFileAttempt = 0;
  /** Changes of this process come one after the other: at once, each would overtake the others. */
  let lastUpdate: Promise<unknown> = Promise.resolve();
  let stopRefreshing: (() => void) | undefined;
  const listeners: (() => void)[] = [];

  try {
    const copy = file.read();
    if (copy !== null) take(copy);
  } catch (error) {
    isCopyLost = true;
    report({ event: "registry.file_failed", err: error });
  }

  return {
    name,
    /** As this process knows it. Asks no store. */
    get content() {
      return content;
    },
    /** 0 where nothing was ever changed. */
    get version() {
      return current?.version ?? 0;
    },
    /** What keeps this process from following; null for nothing. */
    get fault() {
      return faultOf(unreadable);
    },
    /** False where there may be a content that this process could not read, in the store or in this machine's copy. */
    get isComplete() {
      return unreadable === null && (current !== null || !isCopyLost);
    },
    /** Called when the content has become another one, with it in force. */
    onChange: (listener: () => void) => void listeners.push(listener),
    refresh,
    /**
     * Changes the content for all processes. `change` may be called again with a newer content, and must have no effects of
     * its own; what it throws is thrown, and nothing has changed. Where it answers what it was given, nothing is written.
     *
     * @returns what it answered last
     * @throws UsherError `conflict` when others go on changing it, `store_unavailable`
     */
    update(change: (content: Content) => Content): Promise<Content> {
      const update = lastUpdate.then(() => replaceBy(change));
      lastUpdate = update.catch(() => undefined);
      return update;
    },
    start() {
      stopRefreshing = repeat(refreshMs, async () => {
        // A store that is away is reported elsewhere.
        await refresh().catch(() => undefined);
        return refreshMs;
      });
    },
    stop() {
      stopRefreshing?.();
      if (isFileBehind && current !== null) keep(current);
    },
  };

  /** Syncs changes now. @throws StoreUnavailableError */
  async function refresh(): Promise<void> {
    const before = current;
    // What could not be read is shown as it is, so that its text is not sent again each time.
    const answer = await documents.exchange(name, unreadable ?? current);
    if ((isFileBroken || isFileBehind) && current !== null && ++refreshesSinceFileAttempt >= refreshesPerFileAttempt)
      keep(current);
    // An answer that an own change has overtaken counts for nothing.
    if (answer === "unchanged" || answer === null || current !== before) return;
    sync(answer, "another process");
  }

  async function replaceBy(change: (content: Content) => Content): Promise<Content> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      await refresh();
      const fault = faultOf(unreadable);
      if (fault !== null) throw new UsherError("conflict", fault);
      const version = current?.version ?? 0;
      const changed = change(content);
      if (changed === content) return content;
      const next = annotate?.(content, changed, version + 1) ?? changed;
      const text = JSON.stringify(next);
      // Nobody could change such a one again, or read it after a restart.
      if (kind.read(text) === null) throw new TypeError("a change would leave a registry that cannot be read");
      const answer = await documents.replace(name, text, version);
      if (answer.result === "ok") {
        sync({ version: answer.version, text }, "this process");
        return changed;
      }
      if (answer.result === "settling") {
        throw new UsherError("store_unavailable", "the store was restarted just now; try again in a few seconds", {
          retryAfterSec: Math.ceil(answer.remainingMs / 1_000),
        });
      }
    }
    throw new UsherError("conflict", "others are changing rooms, clients or keys just now; try again");
  }

  function sync(document: SharedDocument, by: "this process" | "another process"): void {
    const before = content;
    if (!take(document)) return;
    report({ event: "registry.changed", version: document.version, by });
    if (isMinor?.(before, content)) isFileBehind = true;
    else keep(document);
    for (const listener of listeners) listener();
  }

  /** What cannot be read is not taken over: what was known stays in force here. */
  function take(document: SharedDocument): boolean {
    const read = kind.read(document.text);
    if (read === null) {
      if (unreadable === null) report({ event: "registry.unreadable", err: new Error(`version ${document.version}`) });
      unreadable = document;
      return false;
    }
    unreadable = null;
    current = document;
    content = read;
    return true;
  }

  function keep(document: SharedDocument): void {
    refreshesSinceFileAttempt = 0;
    isFileBehind = false;
    try {
      file.write(document);
      isFileBroken = false;
    } catch (error) {
      if (!isFileBroken) report({ event: "registry.file_failed", err: error });
      isFileBroken = true;
    }
  }
}

function faultOf(unreadable: SharedDocument | null): string | null {
  return unreadable === null
    ? null
    : `version ${unreadable.version} of what is changed at run time cannot be read in the store: is another Usher newer? Update this one`;
}
