/**
 * `usher preview`: every page of every room with made-up data, in a frame whose width, language and state can be
 * chosen, for authors of texts, colours and templates. Reads the real configuration and renders with the real pages;
 * reloads both while they are edited. No rooms are run: no store, no secrets, nothing is written.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRoutes } from "./routes.ts";
import { openScenery, type SceneryOptions } from "./scenery.ts";
import { watchFiles } from "./watch.ts";

export interface Preview {
  /** Where to look, at this computer alone. */
  readonly url: string;
  close(): Promise<void>;
}

/** @param port 0 takes any free one @throws Error where it is taken, or a built-in file is broken */
export async function startPreview({ port, ...options }: SceneryOptions & { readonly port: number }): Promise<Preview> {
  const scenery = await openScenery(options);
  const { answer, tellWindows } = createRoutes(scenery, options);
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const watch = await watchFiles(scenery.files, async () => {
    await scenery.read();
    tellWindows();
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
