/** docs/openapi.json, and the tables of routes in the documents, follow from the source; and they name every route there is. */
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { httpReference } from "../../../scripts/lib/openapi/reference.ts";
import { describedRoutes, pathOf } from "../../../scripts/lib/openapi/routes.ts";
import { registeredRoutes } from "../../e2e/spellings.ts";

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const files = httpReference(read);

test.each(Object.entries(files))("%s is as `npm run reference` writes it", (file, text) => {
  expect(read(file)).toBe(text);
});

test("the description is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(read("docs/openapi.json")));
  expect(result.errors).toBeUndefined();
  expect([result.valid, validator.version]).toEqual([true, "3.1"]);
  // It can fail.
  expect((await new Validator().validate({ openapi: "3.1.1", info: {}, paths: {} })).valid).toBe(false);
});

test("every route that the program registers is described, and no other", () => {
  const { operators, signIn, others } = registeredRoutes("x");
  // The same at every address, or of every route for GET.
  const isOwn = ({ method }: { method: string }) => method !== "OPTIONS" && method !== "HEAD";
  // Whatever is asked there, the answer is an error.
  const isStep = ({ path }: { path: string }) => path === "/admin/rooms/x/x" || path === "/admin/keys/x/x";
  const ofApp = [
    { method: "GET", path: "/" },
    { method: "POST", path: "/authorize" },
  ];
  const registered = [...operators, ...signIn, ...others, ...ofApp]
    .filter((route) => isOwn(route) && !isStep(route))
    .map(({ method, path }) => `${method} ${path}`);
  const described = describedRoutes().map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "x")}`);
  expect(described.sort()).toEqual([...new Set(registered)].sort());
  expect(new Set(described).size).toBe(described.length);
});

test("the description has each route once, with its errors, and stays small", () => {
  const { paths } = JSON.parse(read("docs/openapi.json")) as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual(
    describedRoutes()
      .map(({ method, path }) => `${method} ${pathOf(path)}`)
      .sort(),
  );
  // With the status page and the incidents on it, which are of no room, and what connectors of Queue-it ask.
  expect(JSON.stringify(JSON.parse(read("docs/openapi.json"))).length).toBeLessThan(336_000);
});

test("what a route says of itself is a sentence", () => {
  for (const { method, path, summary } of describedRoutes()) {
    expect(summary, `${method} ${path}`).toMatch(/^[A-Z][^\n]*\.$/);
  }
});
