/**
 * Goal: whatever operators do without force, whatever is put first in the configuration, whoever restarts and whenever the store
 * forgets everything, nobody meets a key that not everybody knows, or loses what an older one signed. Method: random sequences of
 * these on two processes and a moved clock.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { cookieKeyId } from "../../../src/config/index.ts";
import type { KeyStep } from "../../../src/registry/index.ts";
import { createKeyWorld, day, keyText, minute, type Process } from "./key-world.ts";

const purposes = ["tickets", "cookies", "draw"] as const;
type Purpose = (typeof purposes)[number];
/** For so long what is signed now is shown. */
const shownMs: Readonly<Record<Purpose, number>> = { tickets: 400 * day, cookies: day, draw: 30 * day };

/** A store that forgot everything hears from all processes first. */
const settlingMs = 3_000;

const purpose = fc.constantFrom(...purposes);
const command = fc.oneof(
  fc.record({ do: fc.constant("generate" as const), purpose, at: fc.nat(1) }),
  fc.record({
    do: fc.constantFrom<KeyStep>("stage", "promote", "promote", "retire"),
    which: fc.nat(30),
    at: fc.nat(1),
  }),
  fc.record({
    do: fc.constant("wait" as const),
    ms: fc.constantFrom(1_000, minute, 20 * minute, day, 31 * day, 401 * day),
  }),
  fc.record({
    do: fc.constant("configure" as const),
    purpose: fc.constantFrom("tickets" as const, "cookies" as const),
  }),
  fc.record({ do: fc.constant("restart" as const), at: fc.nat(1) }),
  fc.record({ do: fc.constant("wipe" as const) }),
);

const idsOf = ({ keys: { current } }: Process, of: Purpose) =>
  of === "cookies" ? current.cookies.map(cookieKeyId) : current[of].map(({ kid }) => kid);

/** Every key that signed is verified with while that is shown, and none signs before all have known it for a minute. */
export const keysRotate = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
  const world = createKeyWorld();
  const sources = { tickets: [keyText("t0")], cookies: [keyText("c0")] };
  const processes = [world.process({ sources }), world.process({ sources })];
  const signedMs = new Map<string, { of: Purpose; ms: number }>();
  const knownMs = processes.map(() => new Map<string, number>());
  await world.settle(...processes);
  for (const { keys } of processes) for (const { key } of keys.list()) knownMs.map((known) => known.set(key.kid, 0));

  for (const each of commands) {
    const process = ("at" in each ? processes[each.at] : processes[0]) as Process;
    if (each.do === "wait") world.clock.advance(each.ms);
    else if (each.do === "generate") await tryOut(process.keys.generate(each.purpose, null, "op"));
    else if (each.do === "configure") {
      sources[each.purpose] = [keyText(`${each.purpose} ${sources[each.purpose].length}`), ...sources[each.purpose]];
      for (const { keys } of processes) keys.setSource(each.purpose, sources[each.purpose]);
    } else if (each.do === "wipe") {
      world.wipe();
      await world.settle(...processes);
      world.clock.advance(settlingMs);
    } else if (each.do === "restart") processes[each.at] = world.process({ sources });
    else {
      const all = process.keys.list();
      await tryOut(process.keys.step(each.do, all[each.which % all.length]?.key.kid ?? "", "op", false));
    }
    await world.settle(...processes);
    check();
  }

  function check(): void {
    const now = world.clock.now();
    for (const of of purposes) {
      const [first] = processes as [Process];
      const active = first.registry.content.keys.filter((key) => key.purpose === of && key.state === "active");
      expect(active).toHaveLength(1);
      processes.forEach((process, index) => {
        const known = knownMs[index] as Map<string, number>;
        const accepted = idsOf(process, of);
        const [signs = ""] = accepted;
        expect(signs).toBe(active[0]?.kid);
        for (const kid of accepted) if (!known.has(kid)) known.set(kid, now);
        for (const everyone of knownMs) expect(now - (everyone.get(signs) ?? now)).toBeGreaterThanOrEqual(minute);
        for (const [kid, { of: purposeOfKid, ms }] of signedMs) {
          if (purposeOfKid === of && now - ms < shownMs[of]) expect(accepted).toContain(kid);
        }
        signedMs.set(signs, { of, ms: now });
      });
      expect(first.keys.faults("")).toEqual([]);
    }
  }
});

/** A step that is not allowed just now is refused, and nothing else happens. */
async function tryOut(step: Promise<unknown>): Promise<void> {
  await step.catch((error: unknown) => expect(error).toMatchObject({ code: "conflict" }));
}
