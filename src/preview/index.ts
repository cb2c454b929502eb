/**
 * `usher preview`: every page of every room with made-up data, in a frame whose width, language and state can be
 * chosen, for authors of texts, colours and templates. Reads the real configuration and renders with the real pages;
 * reloads both while they are edited. No rooms are run: no store, no secrets, nothing is written. Only command.ts calls
 * it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoadOptions } from "../config/index.ts";
import type { Clock } from "../lib/clock.ts";
import { createEvents } from "./events.ts";
import { createRoutes } from "./routes.ts";
import { createScenery } from "./scenery.ts";
import { watchFiles } from "./watch.ts";

export interface PreviewOptions {
  /** Path of the configuration; without one there is one made-up room. */
  readonly file: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  readonly env: LoadOptions["env"];
  readonly clock: Clock;
  /** The folder with `views` and `dist/browser`. */
  readonly packageDir: string;
}

export interface Preview {
  /** Where to look, at this computer alone. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws Error where the port is taken, or a built-in file is broken. */
export async function startPreview({ port, ...options }: PreviewOptions): Promise<Preview> {
  const scenery = createScenery(options);
  await scenery.read();
  const events = createEvents(() => scenery.revision);
  const server = createServer(createRoutes({ ...options, scenery, events }));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const watch = await watchFiles(scenery.files, async () => {
    await scenery.read();
    events.tellAll();
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      watch.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
