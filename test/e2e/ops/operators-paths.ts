/** Which paths are answered at which of two listeners, in every spelling. */
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { type Asking, askForAll, leaks, registeredPaths } from "../spellings.ts";
import { memoryStore, useWorld } from "../world.ts";

const { operators, signIn, others } = registeredPaths("line");
const isOfAdmin = (path: string) => path.startsWith("/admin");

export function describeListeners(asking: Asking): void {
  describe("paths with a listener for operators", () => {
    const world = useWorld(async () => ({
      store: memoryStore,
      rooms: [{ id: "line" }],
      config: { admin: { listen: { port: await freePort() } } },
    }));
    const own = () => world().gateways[0]?.operatorsOrigin ?? "";

    test("the public one has nothing of theirs, by any method and in any spelling", async () => {
      expect(leaks(await askForAll(world().issuer, [...operators, ...signIn], asking), [404, 400, 421])).toEqual([]);
      const key = { authorization: `Bearer ${ADMIN_KEY}` };
      expect((await world().http.get(`${world().issuer}/admin/rooms`, key)).status).toBe(404);
    });

    test("theirs has it, and asks for the key", async () => {
      expect(leaks(await askForAll(own(), operators.filter(isOfAdmin), asking), [400, 401, 404, 405])).toEqual([]);
    });

    test("theirs has nothing for visitors and relying parties", async () => {
      const answers = await askForAll(
        own(),
        others.filter((path) => path !== "/healthz" && path !== "/robots.txt"),
        asking,
      );
      expect(leaks(answers, [404, 400])).toEqual([]);
      expect((await world().http.get(`${world().issuer}/healthz`)).status).toBe(200);
    });
  });
}
