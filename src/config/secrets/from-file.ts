import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { codeOf } from "../../lib/system-errors.ts";
import { type OriginWatch, readMember, SecretError, type SecretSource } from "./secret-source.ts";

const FILE_BYTES_MAX = 65_536;
const GROUP_OR_WORLD_READABLE = 0o044;
const LOOK_MS = 2_000;
const SETTLE_MS = 500;

/** `{ from: file, path: shop.secret }`: the content of a file without the newline at its end. */
export const fromFile: SecretSource = {
  from: "file",
  fields: ["path"],
  async fetch({ path = "" }, _, { baseDir }) {
    const file = resolve(baseDir, path);
    const { content, mode } = await readSecretFile(file);
    const value = readMember(content, undefined, `the file ${file}`);
    const isOpenToOthers = (mode & GROUP_OR_WORLD_READABLE) !== 0;
    return { value, warnings: isOpenToOthers ? [`${file} can be read by other users: chmod 600 ${file}`] : [] };
  },
  watch: ({ path = "" }, { baseDir }) => watchFile(resolve(baseDir, path)),
};

/**
 * Polls a file, instead of watching it: watching misses changes on network volumes and of replaced links, as Kubernetes
 * makes them with mounted secrets. Half of a file may be a valid secret, so a changed one is read when two polls in a
 * row saw the same.
 */
function watchFile(path: string): OriginWatch {
  let readAs: string | null = null;
  let seenAs: string | null = null;
  return {
    name: path,
    holdsOneValue: true,
    firstMs: LOOK_MS,
    async look(read) {
      const signature = await signatureOf(path);
      const isNew = signature !== readAs;
      const hasSettled = signature === seenAs;
      seenAs = signature;
      if (isNew && !hasSettled) return { nextMs: SETTLE_MS, fault: null };
      readAs = signature;
      if (isNew) await read();
      return { nextMs: LOOK_MS, fault: null };
    },
  };
}

/** Another one whenever the file, or that which a link leads to, may have another content. */
async function signatureOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    return codeOf(error);
  }
}

async function readSecretFile(file: string): Promise<{ content: string; mode: number }> {
  try {
    const handle = await open(file, "r");
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > FILE_BYTES_MAX) {
        throw new SecretError(`${file} is not a file of at most ${FILE_BYTES_MAX} bytes`);
      }
      return { content: await handle.readFile("utf8"), mode: stats.mode };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof SecretError) throw error;
    const advice =
      codeOf(error) === "ENOENT"
        ? "there is no such file; a relative path starts at the configuration file's folder"
        : "it must be readable to the user that Usher runs as";
    throw new SecretError(`the file ${file} can't be read (${codeOf(error)}): ${advice}`);
  }
}
