import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Principal } from "../../../src/operate/admin-api/access/principal.ts";

const src = fileURLToPath(new URL("../../../src", import.meta.url));
const filesWith = (text: string) =>
  readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && readFileSync(join(src, file), "utf8").includes(text))
    .sort();

it("routers are made in one place, where paths are taken letter by letter, and that of the admin API in one", () => {
  expect(filesWith("new Router(")).toEqual(["web/middleware/router.ts"]);
  expect(filesWith('createRouter("/admin")')).toEqual(["operate/admin-api/admin-router.ts"]);
});

it("nothing but its check makes a principal, by the types", () => {
  // @ts-expect-error its constructor is its own
  expect(() => new Principal()).toThrow();
  // @ts-expect-error whatever has the same members is none
  const forged: Principal = { ...({} as Principal) };
  expect(forged).not.toBeInstanceOf(Principal);
});
