import { readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { type IssuerConfig, type LoadOptions, languagesOfRooms, loadConfig, themesOf } from "../config/index.ts";
import type { Clock } from "../lib/clock.ts";
import { createPages, type Pages, readPageLocales, type Theme } from "../pages/index.ts";
import { madeUpRoom, type SampleRoom } from "../pages/samples/index.ts";

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

export interface SceneryOptions {
  /** Path of the configuration; without one there is one made-up room. */
  readonly file: string | undefined;
  readonly env: LoadOptions["env"];
  readonly clock: Clock;
  /** The folder with `views` and `dist/browser`. */
  readonly packageDir: string;
}

const madeUp = { issuer: "http://localhost:3000", rooms: [{ id: madeUpRoom.id, title: madeUpRoom.title }] };
/** Of a configuration that is no longer written by hand. */
const namesMax = 2_000;

/** The scene as the files have it, or had it last. */
export class Scenery {
  readonly #options: SceneryOptions;
  readonly #startedMs: number;
  #reads = 0;
  #scene: Scene | undefined;
  #faults: string | null = null;

  constructor(options: SceneryOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
  }

  get scene(): Scene {
    if (this.#scene === undefined) throw new Error("nothing has been read");
    return this.#scene;
  }

  /** The faults of the files, for their author; null while the scene is rendered from them. */
  get faults(): string | null {
    return this.#faults;
  }

  /** Another one after each reading. */
  get revision(): string {
    return `${this.#startedMs.toString(36)}-${this.#reads}`;
  }

  /** What to look at for changes: files and folders. */
  files(): string[] {
    const { file, packageDir } = this.#options;
    const viewsDir = join(packageDir, "views");
    return file === undefined ? [viewsDir] : [file, ...filesNamedIn(readText(file), dirname(resolve(file))), viewsDir];
  }

  /** @throws Error only where there is nothing to show, not even a made-up room */
  async read(): Promise<void> {
    const { file, env } = this.#options;
    try {
      this.#scene = await this.#readScene(file === undefined ? { document: madeUp, env: {} } : { file, env });
      this.#faults = null;
    } catch (error) {
      this.#faults = error instanceof Error ? error.message : String(error);
      this.#scene ??= await this.#readScene({ document: madeUp, env: {} });
    }
    this.#reads++;
  }

  async #readScene(source: Pick<LoadOptions, "file" | "document" | "env">): Promise<Scene> {
    const { clock, packageDir } = this.#options;
    const { config, warnings: ofConfig } = await loadConfig({ ...source, clock, needsSecrets: false });
    const viewsDir = join(packageDir, "views");
    const browserDir = join(packageDir, "dist", "browser");
    const themes = themesOf(config);
    const named = languagesOfRooms(config);
    const locales = readPageLocales(viewsDir, { ownFolder: config.localesDir, named, themes });
    // A page that fails later is reported as well.
    const warnings = [...(source.file === undefined ? [] : ofConfig), ...locales.warnings];
    const report = ({ message }: { message: string }) => void warnings.push(message);
    const pages = createPages({ viewsDir, browserDir, locales, themes, report });
    const [first, ...others] = config.issuers.flatMap(looksOf);
    if (first === undefined) throw new Error("there is no room");
    const languages = locales.all.map(({ tag, texts }) => ({ tag, name: texts.language.name }));
    return { looks: [first, ...others], languages, pages, warnings };
  }
}

function looksOf({ rooms, clients, themes }: IssuerConfig): Look[] {
  const usualTheme = themes.usual ?? undefined;
  return rooms.flatMap(({ id, settings }): Look[] => {
    const { title, timeZone, message, admission } = settings;
    const { claimWithinMs } = admission;
    const room: SampleRoom = { id, title, timeZone, message, claimWithinMs, poll: madeUpRoom.poll };
    const theme = themes.ofRooms.get(id);
    const ofClients = clients.flatMap(({ clientId }) => {
      const own = themes.ofClients.get(clientId)?.get(id);
      return own === undefined || own === theme ? [] : [{ id: `${id}/${clientId}`, room, theme: own, usualTheme }];
    });
    return [{ id, room, theme, usualTheme }, ...ofClients];
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
