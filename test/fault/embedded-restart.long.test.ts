// Long: starts eight processes; embedded-restart.test.ts kills one.
/** The demonstration, too, raises no alarm when it is started again. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createHttpClient } from "../support/http-client.ts";
import { freePorts } from "../support/ports.ts";
import { startProcess } from "../support/processes.ts";
import { makeTempDir } from "../support/temp-dir.ts";
import { describeEmbeddedRestart } from "./embedded-restart.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

describeEmbeddedRestart(["stopped", "killed"]);

test.each(["stopped", "killed"])(
  "the demonstration shows no hold when it starts again where it was %s",
  async (how) => {
    const http = createHttpClient();
    const folder = await makeTempDir("demo");
    const [port = 0, sitePort = 0] = await freePorts(2);
    const env = { PATH: process.env.PATH, HOME: folder.path, PORT: String(port), USHER_DEMO_PORT: String(sitePort) };
    const start = async () => {
      const demo = startProcess({
        name: "demo",
        command: process.execPath,
        args: [main, "demo"],
        cwd: folder.path,
        env,
      });
      await demo.waitForOutput(/The demonstration is running/);
      return demo;
    };
    const figures = async () =>
      (await http.get(`http://localhost:${port}/rooms/demo/status`)).json() as { held_until: unknown; serving: number };
    try {
      const first = await start();
      await expect.poll(async () => (await figures()).serving, { timeout: 30_000 }).toBeGreaterThan(0);
      await (how === "killed" ? first.kill() : first.stop());
      const second = await start();
      expect(await figures()).toMatchObject({ availability: "ready", held_until: null });
      await second.stop();
    } finally {
      http.close();
      await folder.remove();
    }
  },
);
