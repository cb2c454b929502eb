import { readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import {
  type IssuerConfig,
  type LoadOptions,
  languagesOfRooms,
  loadConfig,
  type ThemeConfig,
  themesOf,
} from "../../config/index.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { createPages, type Pages, readPageLocales, type SampleLook } from "../../web/pages/index.ts";
import { type SampleRoom, sampleRoom } from "../../web/pages/samples/index.ts";

/** A room as its visitors see it, or those of them who come with a client that has a theme of its own. */
export interface Look extends SampleLook {
  /** `tickets`, or `tickets/shop`. */
  readonly id: string;
  readonly room: SampleRoom;
}

/** All that pages are made of. */
export interface Scene {
  /** At least one. */
  readonly looks: readonly [Look, ...Look[]];
  readonly languages: readonly { readonly tag: string; readonly name: string }[];
  readonly pages: Pages;
  readonly warnings: readonly string[];
}

export interface SceneryOptions {
  /** Path of the configuration; without one there is one made-up room. */
  readonly file: string | undefined;
  readonly env: LoadOptions["env"];
  readonly parts: LoadOptions["parts"];
  readonly clock: Clock;
  /** The folder with `views` and `dist/browser`. */
  readonly packageDir: string;
}

const sampleIssuer = { issuer: "http://localhost:3000", rooms: [{ id: sampleRoom.id, title: sampleRoom.title }] };
/** Of a configuration that is no longer written by hand. */
const namesMax = 2_000;

export type Scenery = Awaited<ReturnType<typeof openScenery>>;

/** The scene as the files have it, or had it last. @throws Error where there is not even a made-up room to show */
export async function openScenery({ file, env, parts, clock, packageDir }: SceneryOptions) {
  const viewsDir = join(packageDir, "views");
  const browserDir = join(packageDir, "dist", "browser");
  const withoutFile = { document: sampleIssuer, env: {} };
  const startedMs = clock.now();
  let scene = await readScene(withoutFile);
  let faults: string | null = null;
  let reads = 0;

  async function read(): Promise<void> {
    try {
      scene = await readScene(file === undefined ? withoutFile : { file, env });
      faults = null;
    } catch (error) {
      faults = error instanceof Error ? error.message : String(error);
    }
    reads++;
  }

  async function readScene(source: Pick<LoadOptions, "file" | "document" | "env">): Promise<Scene> {
    const { config, warnings: ofConfig } = await loadConfig({ ...source, parts, clock, needsSecrets: false });
    const themes = themesOf(config);
    const named = languagesOfRooms(config);
    const locales = readPageLocales(viewsDir, { customFolder: config.localesDir, named, themes });
    // A page that fails later is reported as well.
    const warnings = [...(source.file === undefined ? [] : ofConfig), ...locales.warnings];
    const report = ({ message }: { message: string }) => void warnings.push(message);
    const pages = createPages({ viewsDir, browserDir, locales, themes, report });
    const [first, ...others] = config.issuers.flatMap(looksOf);
    if (first === undefined) throw new Error("there is no room");
    const languages = locales.all.map(({ tag, texts }) => ({ tag, name: texts.language.name }));
    return { looks: [first, ...others], languages, pages, warnings };
  }

  await read();
  return {
    get scene() {
      return scene;
    },
    /** The faults of the files, for their author; null while the scene is rendered from them. */
    get faults() {
      return faults;
    },
    /** Another one after each reading. */
    get revision() {
      return `${startedMs.toString(36)}-${reads}`;
    },
    /** What to look at for changes: files and folders. */
    files: () =>
      file === undefined ? [viewsDir] : [file, ...filesNamedIn(readText(file), dirname(resolve(file))), viewsDir],
    read,
  };
}

function looksOf({ rooms, clients, themes }: IssuerConfig): Look[] {
  const usualTheme = themes.usual ?? undefined;
  return rooms.flatMap(({ id, settings }): Look[] => {
    const { title, timeZone, message, admission, rehearsal, whileWaiting: configured } = settings;
    const isRehearsal = rehearsal === true;
    const { claimWithinMs } = admission;
    const theme = themes.ofRooms.get(id);
    const { poll } = sampleRoom;
    const roomWith = ({ whileWaiting = null }: Partial<ThemeConfig> = {}): SampleRoom => {
      return { id, title, timeZone, message, whileWaiting: configured ?? whileWaiting, claimWithinMs, poll };
    };
    const ofClients = clients.flatMap(({ clientId }) => {
      const ofClient = themes.ofClients.get(clientId)?.get(id);
      return ofClient === undefined || ofClient === theme
        ? []
        : [{ id: `${id}/${clientId}`, room: roomWith(ofClient), theme: ofClient, usualTheme, isRehearsal }];
    });
    const ofLinks = [...(themes.ofLinks.get(id) ?? [])].map(([name, named]) => {
      return { id: `${id}?theme=${name}`, room: roomWith(named), theme: named, usualTheme, isRehearsal };
    });
    return [{ id, room: roomWith(theme), theme, usualTheme, isRehearsal }, ...ofClients, ...ofLinks];
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/**
 * What a configuration may name beside it: each word in it that could be a relative path, whether the file is there or not, and
 * however broken the rest is. Better one too many than one too few: they are only looked at.
 *
 * @param baseDir where relative paths start
 */
export function filesNamedIn(text: string, baseDir: string): string[] {
  const words = text.match(/[^\s"'{}[\],#]+/g) ?? [];
  const folder = resolve(baseDir);
  const found = words.filter((word) => !/^\/|:\/\/|[*?]|:$/.test(word)).map((path) => resolve(folder, path));
  // A folder that everything lies in is named by "." and the like.
  const beside = [...new Set(found)].filter((path) => path !== folder && !`${folder}${sep}`.startsWith(path + sep));
  return beside.slice(0, namesMax);
}
