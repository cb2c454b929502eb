import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { replaceJsonFile } from "../../../lib/json-file.ts";
import { FileTooLargeError, readFileUpToSync } from "../../../lib/read-file.ts";
import { reasonOf } from "../../../lib/reason.ts";
import { environmentKey } from "../gateway.ts";
import { CommandError, type Terminal, UsageError } from "../terminal.ts";

/** Where the admin key of an installation is: named, or in the context's own file. */
export type KeySource =
  | { readonly from: "env"; readonly name: string }
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "context"; readonly value: string };

/** An installation by name. */
export interface Context {
  readonly url: string;
  readonly key: KeySource;
}

/** Bytes. Nothing that is read here is longer. */
const lengthMax = 16_384;
const nameShape = /^[a-z0-9][a-z0-9-]{0,31}$/;

/**
 * The installations that a person looks after: a file of mode 0600 for each, and one that names the current one, in
 * `$XDG_CONFIG_HOME/usher` or `~/.config/usher`. Two commands at once never undo each other, as each replaces its own file.
 */
export function openContexts(env: Terminal["env"]) {
  const home = env.XDG_CONFIG_HOME ?? "";
  // A relative path is not valid there (XDG Base Directory Specification).
  const folder = join(isAbsolute(home) ? home : join(env.HOME || homedir(), ".config"), "usher");
  const contextsFolder = join(folder, "contexts");
  const currentFile = join(folder, "current.json");
  const fileOf = (name: string) => join(contextsFolder, `${checkedName(name)}.json`);

  return {
    names(): string[] {
      const files = unlessMissing(() => readdirSync(contextsFolder)) ?? [];
      return files.flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : [])).sort();
    },

    /** The name of the context that is used where none is named; null for none. */
    current(): string | null {
      const text = readBounded(currentFile);
      if (text === null) return null;
      const { name } = Object(parsed(text, currentFile)) as { name?: unknown };
      if (typeof name === "string" && nameShape.test(name)) return name;
      throw new CommandError(`${currentFile} names no context: choose one with usher context use NAME`);
    },

    /** @throws CommandError where there is none, or its file is damaged */
    get(name: string): Context {
      const file = fileOf(name);
      const text = readBounded(file);
      if (text === null) throw noContext(name, this.names());
      const context = readContext(parsed(text, file), file);
      if (context.key.from === "context") refuseOthers(file);
      return context;
    },

    has: (name: string) => existsSync(fileOf(name)),

    put(name: string, context: Context): void {
      mkdirSync(contextsFolder, { recursive: true, mode: 0o700 });
      replaceJsonFile(fileOf(name), context);
    },

    use(name: string): void {
      replaceJsonFile(currentFile, { name });
    },

    /** @throws CommandError where there is none */
    remove(name: string): void {
      const file = fileOf(name);
      if (!existsSync(file)) throw noContext(name, this.names());
      const isCurrent = this.current() === name;
      rmSync(file, { force: true });
      if (isCurrent) rmSync(currentFile, { force: true });
    },
  };
}

/** @throws CommandError where there is no key */
export function keyOf({ key }: Context, name: string, env: Terminal["env"]): string {
  if (key.from === "context") return key.value;
  if (key.from === "env") {
    const value = environmentKey(env, key.name);
    if (value !== "") return value;
    throw new CommandError(`set ${key.name}: the context ${name} takes its admin key from there`);
  }
  const value = readBounded(key.path)?.trim() ?? "";
  if (value !== "" && !/[^\x21-\x7e]/.test(value)) return value;
  const what = value === "" ? "is not there or empty" : "holds more than a key";
  throw new CommandError(`${key.path} ${what}: the context ${name} takes its admin key from there`);
}

/** Where `keyOf` takes it from, in words. */
export function placeOfKey({ key }: Context, name: string): string {
  if (key.from === "context") return `the context ${name}`;
  return `${key.from === "env" ? key.name : key.path} (context ${name})`;
}

function checkedName(name: string): string {
  if (nameShape.test(name)) return name;
  throw new UsageError(
    "the name of a context has 1 to 32 characters of a-z, 0-9 and hyphen, and begins with no hyphen",
  );
}

function noContext(name: string, names: readonly string[]): CommandError {
  const available = names.length === 0 ? "there is none yet" : `there are: ${names.join(", ")}`;
  return new CommandError(`there is no context ${name}; ${available}. usher context add NAME --url URL makes one`);
}

/** @throws CommandError where the file is no context */
function readContext(json: unknown, file: string): Context {
  const { url, key } = Object(json) as { url?: unknown; key?: unknown };
  const source = Object(key) as Record<string, unknown>;
  const member = { env: "name", file: "path", context: "value" }[String(source.from)];
  const isWhole = typeof url === "string" && member !== undefined && typeof source[member] === "string";
  if (isWhole) return { url, key: source as KeySource };
  throw new CommandError(`${file} is damaged: remove it, and make the context again with usher context add`);
}

/** @throws CommandError where other users may read the key */
function refuseOthers(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  throw new CommandError(`${file} holds a key, and other users may read it: chmod 600 ${file}, and rotate the key`);
}

/** @throws CommandError */
function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is no JSON: remove it, and make the context again with usher context add`);
  }
}

/** Null where there is no such file. @throws CommandError */
function readBounded(file: string): string | null {
  try {
    return unlessMissing(() => readFileUpToSync(file, lengthMax).toString("utf8"));
  } catch (error) {
    if (!(error instanceof FileTooLargeError)) throw error;
    throw new CommandError(`${file} is larger than ${lengthMax} bytes: is it the right file?`);
  }
}

/** @throws CommandError */
function unlessMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (reasonOf(error) === "ENOENT") return null;
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
