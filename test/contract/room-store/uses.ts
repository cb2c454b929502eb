import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, RoomDriver } from "../room-driver.ts";

/** What an admission is used for: logins that are taken once, and the addresses that it is used from. */
export const uses: RoomTest = (context) => {
  async function admitted(sketch: Parameters<typeof context.room>[0] = {}) {
    const room = await context.room({ durationMs: 10 * minute, ...sketch }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    const record = () => room.rooms.admission(room.room, place.sub);
    return { room, place, record };
  }

  it("takes each login of a live admission once, by one of all processes (rule 3)", async () => {
    const { room, place, record } = await admitted();
    expect(await room.take(place.sub, "a")).toBe(false);
    await room.admit(place, { login: "a" });
    await room.claim(place, { login: "b" });
    const other = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    await other.contribute();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? room : other).take(place.sub, "a")),
    );
    expect(answers.filter((isTaken) => isTaken)).toHaveLength(1);
    expect(await room.take(place.sub, "b")).toBe(true);
    expect(await room.take(place.sub, "c")).toBe(false);
    expect((await record())?.taken).toEqual(["a", "b"]);
  });

  it("answers a refresh with the admission on record, if there is one", async () => {
    const { room, place, record } = await admitted();
    expect(await room.renew(place.sub)).toBeNull();
    await room.admit(place);
    expect(await room.renew(place.sub)).toEqual(await record());
  });

  it("takes none of an admission that is over", async () => {
    const { room, place } = await admitted();
    await room.admit(place, { login: "a" });
    await room.end(place.sub);
    expect(await room.take(place.sub, "a")).toBe(false);
  });

  it("records each address from which an admission is used, and none of a claim without a login", async () => {
    const { room, place, record } = await admitted();
    await room.admit(place, { login: "a", address: "home" });
    await room.claim(place, { login: "a", address: "office" });
    await room.claim(place, { login: "b", address: "home" });
    await room.claim(place);
    expect((await record())?.addresses).toEqual(["home", "office"]);
    // Others hear of it.
    expect((await room.tick()).admissions[0]?.addresses).toEqual(["home", "office"]);
  });

  it("refuses an address beyond addressesPerAdmission, whatever it asks for, and keeps those that are known", async () => {
    const { room, place, record } = await admitted({ addresses: 2 });
    const results = [];
    for (const [login, address] of [
      ["a", "home"],
      ["b", "office"],
      ["c", "train"],
      ["a", "train"],
      ["c", "office"],
      ["d", null],
    ] as const) {
      results.push((await room.claim(place, { login, address })).result);
    }
    expect(results).toEqual([
      "admitted",
      "admitted",
      "too_many_addresses",
      "too_many_addresses",
      "admitted",
      "admitted",
    ]);
    expect((await record())?.logins).toEqual(["a", "b", "c", "d"]);
    expect((await record())?.addresses).toEqual(["home", "office"]);
  });

  it("keeps the first hundred addresses where they are not bounded", async () => {
    const { room, place, record } = await admitted({ logins: 1_000 });
    for (let index = 0; index < 110; index++) await room.claim(place, { login: "a", address: `address-${index}` });
    expect((await record())?.addresses).toHaveLength(100);
  });

  it("knows after a loss what was taken, and from where, as far as a process remembers (rule 6)", async () => {
    const { room, place, record } = await admitted();
    await room.admit(place, { login: "a", address: "home" });
    await room.take(place.sub, "a");
    const early = await room.memory();
    await room.claim(place, { login: "b", address: "office" });
    await room.take(place.sub, "b");
    const late = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: late });
    await room.contribute({ memory: early });
    await context.harness.advance(2_500);
    await room.contribute();
    expect(await record()).toMatchObject({ logins: ["a", "b"], taken: ["a", "b"], addresses: ["home", "office"] });
    expect(await room.take(place.sub, "a")).toBe(false);
  });
};
