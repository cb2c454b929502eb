import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type IssuerConfig,
  type LoadOptions,
  languagesOfRooms,
  loadConfig,
  themesOf,
  type UsherConfig,
} from "../config/index.ts";
import { createPages, madeUpRoom, type Pages, readPageLocales, type SampleRoom, type Theme } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { filesNamedIn } from "./named-files.ts";

/** A room as its visitors see it, or those of them who come with a client that has a theme of its own. */
export interface Look {
  /** `tickets`, or `tickets/shop`. */
  readonly id: string;
  readonly room: SampleRoom;
  readonly theme: Theme | undefined;
  /** Of pages that speak of no room. */
  readonly usualTheme: Theme | undefined;
}

/** All that pages are made of. */
export interface Scene {
  /** At least one. */
  readonly looks: readonly [Look, ...Look[]];
  readonly languages: readonly { readonly tag: string; readonly name: string }[];
  readonly pages: Pages;
  readonly warnings: readonly string[];
}

/** The scene as the files have it, or had it last. */
export interface Scenery {
  readonly scene: Scene;
  /** The faults of the files, for their author; null while the scene is rendered from them. */
  readonly faults: string | null;
  /** Another one after each reading. */
  readonly revision: string;
  /** What to look at for changes: files and folders. */
  files(): string[];
  /** @throws Error only where there is nothing to show, not even a made-up room */
  read(): Promise<void>;
}

export interface SceneryOptions {
  readonly file: string | undefined;
  readonly env: LoadOptions["env"];
  readonly clock: Clock;
  readonly packageDir: string;
}

export function createScenery({ file, env, clock, packageDir }: SceneryOptions): Scenery {
  const viewsDir = join(packageDir, "views");
  const madeUp = { issuer: "http://localhost:3000", rooms: [{ id: madeUpRoom.id, title: madeUpRoom.title }] };
  let scene: Scene | undefined;
  let faults: string | null = null;
  let reads = 0;
  const startedMs = clock.now();

  async function readScene(source: Pick<LoadOptions, "file" | "document" | "env">): Promise<Scene> {
    const { config, warnings } = await loadConfig({ ...source, clock, needsSecrets: false });
    return setUp(config, source.file === undefined ? [] : warnings, packageDir);
  }

  return {
    get scene() {
      if (scene === undefined) throw new Error("nothing has been read");
      return scene;
    },
    get faults() {
      return faults;
    },
    get revision() {
      return `${startedMs.toString(36)}-${reads}`;
    },
    files() {
      if (file === undefined) return [viewsDir];
      return [file, ...filesNamedIn(readText(file), dirname(resolve(file))), viewsDir];
    },
    async read() {
      try {
        scene = await readScene(file === undefined ? { document: madeUp, env: {} } : { file, env });
        faults = null;
      } catch (error) {
        faults = error instanceof Error ? error.message : String(error);
        scene ??= await readScene({ document: madeUp, env: {} });
      }
      reads++;
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function setUp(config: UsherConfig, ofConfig: readonly string[], packageDir: string): Scene {
  const viewsDir = join(packageDir, "views");
  const browserDir = join(packageDir, "dist", "browser");
  const themes = themesOf(config);
  const named = languagesOfRooms(config);
  const locales = readPageLocales(viewsDir, { ownFolder: config.localesDir, named, themes });
  // A page that fails later is reported as well.
  const warnings = [...ofConfig, ...locales.warnings];
  const report = ({ message }: { message: string }) => void warnings.push(message);
  const pages = createPages({ viewsDir, browserDir, locales, themes, report });
  const [first, ...others] = config.issuers.flatMap(looksOf);
  if (first === undefined) throw new Error("there is no room");
  return {
    looks: [first, ...others],
    languages: locales.all.map(({ tag, texts }) => ({ tag, name: texts.language.name })),
    pages,
    warnings,
  };
}

function looksOf({ rooms, clients, themes }: IssuerConfig): Look[] {
  const usualTheme = themes.usual ?? undefined;
  return rooms.flatMap(({ id, settings }): Look[] => {
    const theme = themes.ofRooms.get(id);
    const room: SampleRoom = {
      id,
      title: settings.title,
      timeZone: settings.timeZone,
      message: settings.message,
      claimWithinMs: settings.admission.claimWithinMs,
      poll: madeUpRoom.poll,
    };
    const ofClients = clients.flatMap(({ clientId }) => {
      const own = themes.ofClients.get(clientId)?.get(id);
      return own === undefined || own === theme ? [] : [{ id: `${id}/${clientId}`, room, theme: own, usualTheme }];
    });
    return [{ id, room, theme, usualTheme }, ...ofClients];
  });
}
