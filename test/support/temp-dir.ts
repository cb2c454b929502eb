import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

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
    // At once, so that nothing of this process comes between. Another one, which is about to end, may still write there.
    async remove() {
      for (let attempt = 1; ; attempt++) {
        try {
          return rmSync(path, { recursive: true, force: true });
        } catch (error) {
          if (attempt === 50) throw error;
          await delay(100);
        }
      }
    },
  };
}
