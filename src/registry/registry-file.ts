import { readFileSync } from "node:fs";
import { z } from "zod";
import { replaceJsonFile } from "../lib/json-file.ts";
import { codeOf } from "../lib/system-errors.ts";
import type { SharedDocument } from "../store/contract/room-store.ts";

/**
 * By name: a process of another issuer that is started in the same folder shares the file, and must not take over
 * foreign entries.
 */
const copies = z.record(z.string(), z.strictObject({ version: z.int().min(1), text: z.string() }));
type Copies = z.infer<typeof copies>;

export type RegistryFile = ReturnType<typeof createRegistryFile>;

/**
 * One machine's copy of a registry, which outlives every process and the store. Mode 0600.
 *
 * @param name of the document in the store
 */
export function createRegistryFile(path: string, name: string) {
  return {
    /** Null where there is none. @throws Error when there is one that cannot be read */
    read: (): SharedDocument | null => readCopies(path)[name] ?? null,
    /** Unless the file holds a later one: processes of one machine share it. */
    write({ version, text }: SharedDocument): void {
      let copies: Copies = {};
      try {
        copies = readCopies(path);
      } catch {
        // An unreadable file is ignored; it was reported at the start.
      }
      if ((copies[name]?.version ?? 0) > version) return;
      replaceJsonFile(path, { ...copies, [name]: { version, text } });
    },
  };
}

/** `secrets.json` has `secrets.registry.json` beside it. */
export const registryPathBeside = (secretsFile: string) => `${secretsFile.replace(/\.json$/, "")}.registry.json`;

/** @param name of the document in the store */
export function registryFileBeside(secretsFile: string, name: string): RegistryFile {
  return createRegistryFile(registryPathBeside(secretsFile), name);
}

function readCopies(path: string): Copies {
  try {
    return copies.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw error;
  }
}
