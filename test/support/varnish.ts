/** Varnish as a cache in front of a gateway. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accepts, freePort } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

/** @param vcl what it does */
export async function startVarnish(
  vcl: string,
): Promise<{ readonly origin: string; readonly process: Running; stop(): Promise<void> }> {
  const program = findProgram("varnishd");
  if (program === undefined) throw new Error("this test needs the program varnishd");
  const folder = await makeTempDir("varnish", true);
  const port = await freePort();
  const file = join(folder.path, "usher.vcl");
  await writeFile(file, vcl);
  const places = ["-a", `127.0.0.1:${port}`, "-n", join(folder.path, "work"), "-f", file];
  const process = startProcess({
    name: "varnish",
    command: program,
    args: ["-F", "-j", "none", "-s", "malloc,16m", ...places],
  });
  await process.waitUntil(`varnish on port ${port}`, () => accepts(port));
  return {
    origin: `http://localhost:${port}`,
    process,
    async stop() {
      await process.stop();
      await folder.remove();
    },
  };
}
