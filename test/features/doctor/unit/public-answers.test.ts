import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublicAnswer } from "../../../../src/config/index.ts";
import { checkPublicAnswers } from "../../../../src/features/doctor/public-answers.ts";

/** Answers with what its path says: a status, of Usher or not, and where to. */
const server = createServer(({ url = "", headers }, response) => {
  const [, status = "", of = "", ...to] = (url.split("?")[0] ?? "").split("/");
  response.writeHead(Number(status), {
    ...(of === "usher" && { "X-Request-Id": "one" }),
    ...(of === "bare" && { "Content-Security-Policy": "default-src 'none'; base-uri 'none'" }),
    ...(to.length > 0 && { Location: `/${to.join("/")}` }),
  });
  response.end(String(headers.origin));
});
let issuer = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const answerAt = (target: string, more: Partial<PublicAnswer> = {}): PublicAnswer => ({
  about: "stall",
  rooms: ["a"],
  target,
  status: 200,
  findFault: () => null,
  ...more,
});
const check = async (...answers: PublicAnswer[]) =>
  (await checkPublicAnswers(issuer, answers)).map(({ status, text }) => `${status} ${text.replaceAll(issuer, "")}`);

test.each([
  ["/200/usher", 200, "ok Clients get what they expect at /200/usher."],
  ["/200/usher", 303, "it answers 200. Let the proxy pass path and query on as they are"],
  ["/404/site", 200, "it answers 404, and not as Usher does. Let the proxy lead this path to Usher."],
  ["/404/usher", 200, "it answers 404. Let the proxy pass path and query on as they are"],
  ["/400/bare", 200, "it answers 400. Let the proxy pass path and query on as they are"],
  ["/421/usher", 200, "it answers 421. Let the proxy send the header Host on"],
  ["/503/usher", 200, "it answers 503. See what /readyz and the log of the gateway say."],
  ["/502/site", 200, "it answers 502, and not as Usher does. Let the proxy lead this path to Usher."],
  ["/301/site/elsewhere", 200, "it redirects to /elsewhere. Let the proxy lead this path to Usher itself."],
  ["/200/usher", 401, "it answers 200, where it has to refuse. Let the proxy add no key of its own"],
])("of %s in place of %i is said: %s", async (target, status, expected) => {
  const [found = ""] = await check(answerAt(target, { status }));
  expect(found).toContain(expected);
  if (!expected.startsWith("ok")) expect(found).toContain(`fault Clients do not get what they expect at ${target}: `);
});

test("says it where nothing answers", async () => {
  const [found] = await checkPublicAnswers("http://127.0.0.1:9", [answerAt("/x")]);
  expect(found?.text).toMatch(/: nothing answers \(.+\)\. Let the proxy lead this path to Usher\.$/);
});

test("asks with the headers that are wanted, and tells what is alike of many addresses once, for each part", async () => {
  const of = (count: number, path: string, more?: Partial<PublicAnswer>) =>
    Array.from({ length: count }, (_, at) => answerAt(`${path}?${at}`, more));
  const heard = { headers: { Origin: "https://a.test" }, findFault: ({ text }: { text: string }) => text };
  expect(
    await check(...of(20, "/200/usher"), ...of(3, "/200/usher/x", heard), ...of(1, "/200/bare", { about: "b" })),
  ).toEqual([
    "ok Clients get what they expect at /200/usher?0 (and at 19 more).",
    "fault Clients do not get what they expect at /200/usher/x?0 (and at 2 more): https://a.test.",
    "ok Clients get what they expect at /200/bare?0.",
  ]);
});
