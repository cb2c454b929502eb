import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * A new folder under the system's temporary folder. `isPublic` lets other users read it: servers that are
 * started as root serve files as an unprivileged user.
 */
export async function makeTempDir(purpose: string, isPublic = false): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), `usher-${purpose}-`));
  if (isPublic) await chmod(path, 0o755);
  return {
    path,
    // At once: nothing of this process, such as a file that is written in the background, comes between.
    async remove() {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
