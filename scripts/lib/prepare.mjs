import { ensureBuilt, isBuilt } from "./build.mjs";
import { ensureInstalled, isInstalled } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { fail } from "./run.mjs";

/** Installs and builds what is missing or out of date, one launcher at a time; ends the process if that fails. */
export async function prepare({ needsBuild = true } = {}) {
  if (isInstalled() && (!needsBuild || isBuilt())) {
    return;
  }
  const onWait = () => process.stderr.write("Another start is installing or building; waiting …\n");
  await withLock(
    async () => {
      if ((await ensureInstalled({ quiet: true })) !== 0) {
        throw new Error("The dependencies could not be installed; see above.");
      }
      if (needsBuild && (await ensureBuilt()) !== 0) {
        throw new Error("The build failed; see above.");
      }
    },
    { onWait },
  ).catch((error) => fail(error.message));
}
