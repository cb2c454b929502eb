import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, RoomDriver } from "../room-driver.ts";

/** What an admission is used for: logins that are taken once, and the addresses that it is used from. */
export const uses: RoomTest = (context) => {
  async function admitted(sketch: Parameters<typeof context.room>[0] = {}) {
    const room = await context.room({ durationMs: 10 * minute, ...sketch }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    const record = () => admissionOf(room, place.sub);
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

  describe("where a site has to see the visitor in time (firstVisitWithinMs)", () => {
    const unvisited = { type: "max_active" as const, maxActive: 1, firstVisitWithinMs: minute };

    it("ends an admission whose visitor no site has seen as abandoned, and gives its room to the next (rule 5)", async () => {
      const { room, place, record } = await admitted(unvisited);
      const [next] = await room.places(1);
      if (next === undefined) throw new Error("no place");
      const { admittedMs } = await room.admit(place, { login: "a" });
      expect((await record())?.visitByMs).toBe(admittedMs + minute);
      await room.pass(minute - 1_000);
      // Further logins give it no more time.
      expect((await room.claim(place, { login: "b" })).result).toBe("admitted");
      expect((await room.claim(next)).result).not.toBe("admitted");
      await room.pass(2_000);
      expect(await record()).toMatchObject({ ended: "abandoned" });
      expect((await room.tick()).state.counts).toMatchObject({ abandoned: 1, expired: 0 });
      expect((await room.claim(place, { login: "c" })).result).toBe("ended");
      expect((await room.claim(next)).result).toBe("admitted");
    });

    it("lets it last once a site has seen the visitor, by whichever process, and says so once", async () => {
      const { room, place, record } = await admitted(unvisited);
      await room.admit(place);
      await room.tick();
      expect((await room.visit(place.sub))?.visitByMs).toBeUndefined();
      const { admissions } = await room.tick();
      expect(admissions).toHaveLength(1);
      expect(admissions[0]?.visitByMs).toBeUndefined();
      expect((await room.visit(place.sub))?.ended).toBeNull();
      expect((await room.tick()).admissions).toHaveLength(0);
      await room.pass(9 * minute, 5_000);
      expect(await record()).toMatchObject({ ended: null });
      await room.pass(2 * minute, 5_000);
      expect(await record()).toMatchObject({ ended: "expired" });
    });

    it("takes a login that a site takes for a visit", async () => {
      const { room, place, record } = await admitted(unvisited);
      await room.admit(place, { login: "a" });
      await room.take(place.sub, "a");
      expect((await record())?.visitByMs).toBeUndefined();
      await room.pass(2 * minute);
      expect((await record())?.ended).toBeNull();
    });

    it("comes too late after the time, and knows of nobody else", async () => {
      const { room, place, record } = await admitted(unvisited);
      expect(await room.visit(place.sub)).toBeNull();
      await room.admit(place);
      await room.pass(minute + 1_000);
      expect((await room.visit(place.sub))?.ended).toBe("abandoned");
      expect((await record())?.ended).toBe("abandoned");
    });

    it("remembers after a loss who has to be seen, and who has been, by the process that knows more (rule 6)", async () => {
      const room = await context.room({ durationMs: 10 * minute, firstVisitWithinMs: minute }).open();
      const [seen, unseen] = await room.places(2);
      if (seen === undefined || unseen === undefined) throw new Error("no places");
      await room.serve(2);
      await room.admit(seen);
      await room.admit(unseen);
      const early = await room.memory();
      await room.visit(seen.sub);
      const late = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory: late });
      await room.contribute({ memory: early });
      await context.harness.advance(2_500);
      await room.contribute();
      await room.pass(minute + 1_000);
      expect((await admissionOf(room, seen.sub))?.ended).toBeNull();
      expect((await admissionOf(room, unseen.sub))?.ended).toBe("abandoned");
    });

    it("counts for admissions that are made after it was set, and asks for nothing where it is not", async () => {
      const { room, place, record } = await admitted();
      await room.admit(place);
      expect((await record())?.visitByMs).toBeUndefined();
      expect((await room.visit(place.sub))?.ended).toBeNull();
    });
  });
};
