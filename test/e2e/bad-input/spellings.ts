/** Goal: no spelling of a path goes around the check of the admin key, or around the rules that a proxy has for the path. */
import { expect, test } from "vitest";
import { type Asking, askForAll, isSame, leaks, registeredPaths } from "../spellings.ts";
import { memoryStore, useWorld } from "../world.ts";

const { operators, signIn, others } = registeredPaths("line");
/** Of targets that are none, or another server's. */
const noTarget = [400, 421];

export function describeSpellings(asking: Asking): void {
  const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "line" }] }));

  test("the routes are known", () => {
    expect(operators).toEqual(
      expect.arrayContaining(["/admin/rooms", "/admin/rooms/line/reset", "/metrics", "/readyz"]),
    );
    expect(others).toEqual(expect.arrayContaining(["/authorize", "/rooms/line/tickets/me", "/healthz"]));
    expect(signIn).toEqual(expect.arrayContaining(["/admin/sign-in", "/admin/sign-in/callback", "/admin/session"]));
  });

  test("every operators' route, in every spelling, refuses who has no key", async () => {
    const ofAdmin = operators.filter((path) => path.startsWith("/admin"));
    const answers = await askForAll(world().issuer, ofAdmin, asking);
    expect(leaks(answers, [...noTarget, 401, 404, 405])).toEqual([]);
    expect(new Set(answers.filter(({ kind }) => isSame(kind)).map(({ status }) => status))).toEqual(
      new Set([401, 405]),
    );
  });

  test("every other route answers in one spelling", async () => {
    const paths = [...others, ...signIn, ...operators.filter((path) => !path.startsWith("/admin"))];
    const answers = await askForAll(world().issuer, paths, asking);
    const isContract = (target: string) =>
      target === "/userInfo" || /^\/rooms\/line\/verify\//.test(target) || target === "//rooms/line/verify";
    const strange = answers.filter(({ kind, target }) => !isSame(kind) && !isContract(target));
    expect(leaks(strange, [...noTarget, 404, 405])).toEqual([]);
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
  });
}
