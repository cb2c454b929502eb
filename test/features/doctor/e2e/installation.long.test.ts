// Long: three installations and what an admin API of another one says; doctor.test.ts has whole logins.
/** Goal: the doctor lets nobody in at another installation than the one whose configuration it checks. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { whileIn } from "../../../../src/features/doctor/login/admission.ts";
import { createBrowser } from "../../../../src/features/doctor/login/browser.ts";
import { insiderOf } from "../../../../src/features/doctor/running.ts";
import { memoryStore, useWorld, type World } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { clientOf, useDoctor } from "./run-doctor.ts";

const here = useWorld(() => ({ store: memoryStore, rooms: [{ id: "sale" }] }));
const elsewhere = useWorld(() => ({ store: memoryStore, rooms: [{ id: "sale" }] }));
const empty = useWorld(() => ({ store: memoryStore, rooms: [{ id: "other" }] }));
const doctor = useDoctor();

/** The admin API of this installation, but its links lead elsewhere. */
let misled: Server;
beforeAll(async () => {
  misled = createServer(async (incoming, response) => {
    const { method = "GET", url = "", headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { authorization = "", "content-type": type = "application/json" } = headers;
    const answer = await fetch(`${here().issuer}${url}`, {
      method,
      headers: { authorization, "content-type": type },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const isLink = url.endsWith("/bypass");
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(isLink ? text.replace(here().issuer, elsewhere().issuer) : text);
  });
  await new Promise<void>((resolve) => misled.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void misled.close());

const file = () => ({ issuer: here().issuer, rooms: [{ id: "sale" }], clients: [clientOf("sale")] });

async function admissionsOf(world: World, room: string): Promise<number> {
  const answer = await world.admin.request("GET", `/rooms/${room}/admissions`);
  return (answer.json() as { admissions: unknown[] }).admissions.length;
}

test("goes well at its own", async () => {
  const { about } = await doctor.run(file(), ["--url", here().issuer]);
  expect(about("whole login")).toEqual([expect.stringMatching(/^ok: /)]);
});

test.each([
  ["--url", (url: string) => ({ args: ["--url", url] })],
  ["USHER_ADMIN", (url: string) => ({ env: { USHER_ADMIN: url } })],
])("%s that names another is a fault, and nothing happens there", async (_, named) => {
  const { args = [], env = {} } = named(elsewhere().issuer) as { args?: string[]; env?: Record<string, string> };
  const { code, about } = await doctor.run(file(), args, env);
  expect(code).toBe(1);
  expect(about("whole login")).toEqual([
    `fault: The admin API at ${elsewhere().issuer} is of ${elsewhere().issuer}, and not of ${here().issuer}: ` +
      "name the admin API of this installation with --url or --context.",
  ]);
  expect(about("client")).toEqual([expect.stringMatching(/^ok: /)]);
  expect(await admissionsOf(elsewhere(), "sale")).toBe(0);
});

test.each([
  ["an error that nobody expects", async () => Promise.reject(new TypeError("a fault of the doctor's own")), TypeError],
  ["nothing", async () => {}, null],
])("an admission of a trial is ended after %s", async (_, play, thrown) => {
  const issuer = here().issuer;
  const trial = {
    browser: createBrowser([issuer]),
    issuer,
    room: "sale",
    insider: insiderOf({ url: issuer, key: ADMIN_KEY }),
  };
  const subs: string[] = [];
  const left: unknown[] = [];
  const run = whileIn(
    trial,
    async (sub) => {
      subs.push(sub);
      await play();
    },
    (error) => left.push(error),
  );
  if (thrown === null) await run;
  else await expect(run).rejects.toThrow(thrown);
  expect([subs.length, left]).toEqual([1, []]);
  const found = await here().admin.request("GET", `/rooms/sale/admissions/${subs[0]}`);
  expect(found.json()).toMatchObject({ status: "completed", admitted_via: "bypass" });
});

test("an admin API that has no such room is a fault", async () => {
  const { about } = await doctor.run(file(), ["--url", empty().issuer]);
  expect(about("whole login")).toEqual([expect.stringMatching(/^fault: .* has no room sale, so it is not of /)]);
  expect(await admissionsOf(empty(), "other")).toBe(0);
});

test("a link that leads to another origin is not opened", async () => {
  const { port } = misled.address() as AddressInfo;
  const { about } = await doctor.run(file(), ["--url", `http://127.0.0.1:${port}`]);
  expect(about("whole login")).toEqual([expect.stringMatching(/^fault: A bypass link of .* leads to .*--context\.$/)]);
  expect(await admissionsOf(elsewhere(), "sale")).toBe(0);
});
