import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, RoomDriver } from "../room-driver.ts";

/** Links that many visitors use at the same instant, at two processes. What a link is good for is in bypass.ts and moves.ts. */
export const linksAtOnce: RoomTest = (context) => {
  async function twoClients() {
    const one = await context.room().open();
    const two = new RoomDriver(context.harness, one.room, one.file, await context.harness.second());
    await two.contribute();
    return [one, two] as const;
  }

  function link() {
    const madeMs = context.harness.nowMs();
    return { id: "link", madeMs, expiresMs: madeMs + 3 * minute };
  }

  it("admit one visitor, if they bypass the line", async () => {
    const clients = await twoClients();
    const [room] = clients;
    const bypass = link();
    const claims = Array.from({ length: 20 }, (_, i) => {
      const place = { sub: `newcomer-${i}`, edition: 0, position: 0, joinedMs: 0 };
      return clients[i % 2 === 0 ? 0 : 1].claim(place, { bypass });
    });
    const results = (await Promise.all(claims)).map(({ result }) => result);
    expect(results.toSorted()).toEqual(["admitted", ...Array<string>(19).fill("void")]);
    expect(await room.state()).toMatchObject({ liveAdmissions: 1, counts: { bypassed: 1 } });
  });

  it("give the place to one visitor, if they move one", async () => {
    const clients = await twoClients();
    const [room] = clients;
    const [place] = (await room.places(1)) as [Place];
    const by = link();
    const asked = Array.from({ length: 20 }, (_, i) => clients[i % 2 === 0 ? 0 : 1].move(place, `taker-${i}`, by));
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === "moved")).toHaveLength(1);
    expect((await room.tick()).moves).toMatchObject([{ number: 1, sub: `taker-${answers.indexOf("moved")}` }]);
    await room.serve(1);
    const claims = await Promise.all(
      [place.sub, ...answers.map((_, i) => `taker-${i}`)].map((sub) => room.claim({ ...place, sub })),
    );
    expect(claims.map(({ result }) => result)).toEqual([
      "moved",
      ...answers.map((answer) => (answer === "moved" ? "admitted" : "moved")),
    ]);
  });
};
