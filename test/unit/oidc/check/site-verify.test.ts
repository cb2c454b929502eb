/** How a provider of challenges is asked, and what is made of whatever it answers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChallengeConfig } from "../../../../src/config/index.ts";
import { createSiteVerify, responseLengthMax } from "../../../../src/oidc/check/site-verify.ts";
import {
  type ChallengeProvider,
  challengeSecret,
  startChallengeProvider,
} from "../../../support/challenge-provider.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";
import { freePort } from "../../../support/ports.ts";

let provider: ChallengeProvider;
/** Each answer is right once. */
let nth = 0;
let reports: { reason: string; count: number }[];
const clock = createMovedClock();
beforeAll(async () => {
  provider = await startChallengeProvider("queue.example");
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.behave("usual");
  provider.asked.length = 0;
  reports = [];
});

function verifier(changes: Partial<ChallengeConfig> = {}, host = "queue.example") {
  const config: ChallengeConfig = {
    id: "own",
    provider: "custom",
    siteKey: "key",
    secret: challengeSecret,
    verifyUrl: `${provider.url}/siteverify`,
    scriptUrl: `${provider.url}/widget.js`,
    timeoutMs: 5_000,
    ...changes,
  };
  const made = createSiteVerify(config, host, clock);
  return {
    isAway: () => made.isAway,
    verify: (response: string, address: string | null = "203.0.113.9") =>
      made.verify(response, address, (failure) => reports.push(failure)),
  };
}

describe("a provider that answers", () => {
  test("is told secret, answer and address, and says yes to each answer once", async () => {
    const { verify, isAway } = verifier();
    expect(await verify("right-1")).toEqual({ verdict: "passed", id: expect.stringMatching(/^[\w-]{22}$/) });
    expect(Object.fromEntries(provider.asked[0] ?? [])).toEqual({
      secret: challengeSecret,
      response: "right-1",
      remoteip: "203.0.113.9",
    });
    expect(await verify("right-1")).toEqual({ verdict: "refused" });
    expect(await verify("wrong", null)).toEqual({ verdict: "refused" });
    expect(provider.asked[2]?.has("remoteip")).toBe(false);
    expect([isAway(), reports]).toEqual([false, []]);
  });

  test("is not asked for what no widget says", async () => {
    expect(await verifier().verify("")).toEqual({ verdict: "refused" });
    expect(await verifier().verify("a".repeat(responseLengthMax + 1))).toEqual({ verdict: "refused" });
    expect(provider.asked).toEqual([]);
  });

  test("does not help with a challenge that was shown at another site", async () => {
    expect(await verifier({}, "other.example").verify("right-2")).toEqual({ verdict: "wrong_host" });
  });

  test("that has too much to do is busy, and not away", async () => {
    provider.behave((response) => void response.writeHead(429).end());
    const { verify, isAway } = verifier();
    expect([await verify("right-3"), isAway()]).toEqual([{ verdict: "busy" }, false]);
  });

  test("is asked so much at a time; what comes on top of that is not sent", async () => {
    const open: (() => void)[] = [];
    provider.behave((response) => void open.push(() => response.end('{"success":false}')));
    const { verify } = verifier({ timeoutMs: 10_000 });
    const all = Array.from({ length: 70 }, (_, at) => verify(`right-many-${at}`));
    await expect.poll(() => open.length).toBe(64);
    for (const answer of open) answer();
    const verdicts = (await Promise.all(all)).map(({ verdict }) => verdict);
    expect([
      verdicts.filter((each) => each === "refused").length,
      verdicts.filter((each) => each === "busy").length,
    ]).toEqual([64, 6]);
  });
});

type Answer = (response: import("node:http").ServerResponse) => void;
const addresses = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];

describe("a provider that", () => {
  test.each<[string, Answer, RegExp]>([
    ["answers nothing in time", () => {}, /took longer than 100 ms/],
    ["begins to answer and never ends", (response) => void response.writeHead(200).write('{"success":'), /took longer/],
  ])(
    "%s is away once many met it, which is reported once a minute and without what was sent",
    async (_, answer, reason) => {
      provider.behave(answer);
      const { verify, isAway } = verifier({ timeoutMs: 100 });
      // However often one visitor meets it.
      for (let i = 0; i < 4; i++) expect(await verify(`right-${i}`, addresses[0])).toEqual({ verdict: "busy" });
      expect([await verify("right-4", addresses[1]), isAway()]).toEqual([{ verdict: "busy" }, false]);
      expect([await verify("right-5", addresses[2]), isAway()]).toEqual([{ verdict: "away" }, true]);
      expect(reports).toEqual([{ reason: expect.stringMatching(reason), count: 1 }]);
      expect(JSON.stringify(reports)).not.toMatch(/right-|secret-of/);
      clock.advance(60_000);
      expect(isAway()).toBe(false);
      await verify("right-6");
      expect(reports[1]?.count).toBe(6);
      provider.behave("usual");
      await expect.poll(async () => (await verify(`right-after-${nth++}`)).verdict).toBe("passed");
      expect(isAway()).toBe(false);
    },
  );

  test.each<[string, Answer, RegExp]>([
    ["hangs up", (response) => void response.destroy(), /./],
    ["fails", (response) => void response.writeHead(500).end("{}"), /answered 500/],
    [
      "redirects",
      (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      /answered 307/,
    ],
    ["answers no JSON", (response) => void response.end("<html>"), /cannot be read/],
    ["answers other JSON", (response) => void response.end('{"success":"true"}'), /cannot be read/],
    ["answers a list", (response) => void response.end("[]"), /cannot be read/],
    [
      "answers without end",
      (response) => void response.end(`{"success":true,"x":"${"x".repeat(100_000)}"}`),
      /an answer of more than 16384 bytes/,
    ],
    [
      "does not take the secret",
      (response) => void response.end('{"success":false,"error-codes":["invalid-input-secret"]}'),
      /invalid-input-secret: see secret/,
    ],
  ])(
    "%s is not away for that, however many meet it: nobody passes by it, and it is reported",
    async (_, answer, reason) => {
      provider.behave(answer);
      const { verify, isAway } = verifier();
      for (const address of [...addresses, null, null, null]) {
        expect([await verify("right-7", address), isAway()]).toEqual([{ verdict: "busy" }, false]);
      }
      expect(reports).toEqual([{ reason: expect.stringMatching(reason), count: 1 }]);
      expect(JSON.stringify(reports)).not.toMatch(/right-|secret-of/);
    },
  );

  test("is not there is away once many met it; an answer to anybody in between shows that it is there", async () => {
    const { verify, isAway } = verifier({ verifyUrl: `http://127.0.0.1:${await freePort()}/` });
    for (const address of addresses) await verify("right-8", address);
    expect(isAway()).toBe(true);
    const { verify: verifyHere, isAway: isAwayHere } = verifier({ timeoutMs: 100 });
    for (const address of addresses) {
      provider.behave(() => {});
      await verifyHere("right-9", address);
      provider.behave("usual");
      await expect.poll(async () => (await verifyHere(`right-between-${nth++}`, address)).verdict).toBe("passed");
    }
    expect(isAwayHere()).toBe(false);
  });

  test("is away where addresses are not known, too", async () => {
    const { verify } = verifier({ verifyUrl: `http://127.0.0.1:${await freePort()}/` });
    expect([await verify("a", null), await verify("b", null), await verify("c", null)]).toEqual([
      { verdict: "busy" },
      { verdict: "busy" },
      { verdict: "away" },
    ]);
  });
});
