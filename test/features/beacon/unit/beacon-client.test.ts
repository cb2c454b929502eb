import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBeaconClient, defaultMirrors } from "../../../../src/features/beacon/beacon-client.ts";
import { quicknet, randomnessOf } from "../../../../src/room/draw-recipe/index.ts";
import {
  type Answer,
  createChain,
  type MirrorDouble,
  never,
  startMirror,
  withRound,
  withText,
} from "../../../support/beacon-mirror.ts";
import { LONG_ANSWER_READ_MAX, startLongAnswer } from "../../../support/long-answer.ts";
import { recordedRounds } from "../../../unit/room/draw-recipe/recorded-rounds.ts";

const chain = createChain(1);
const round = 4_711;
const signature = chain.sign(round);
const known = { isAvailable: true, round, signature, randomness: randomnessOf(signature) };
const right = withRound(round, signature);

let mirrors: MirrorDouble[] = [];

beforeEach(() => {
  mirrors = [];
});

afterEach(async () => {
  await Promise.all(mirrors.map((mirror) => mirror.close()));
});

/** A client of mirrors that answer so; a minute is what never passes here. */
async function clientOf(answers: readonly Answer[], { timeoutMs = 60_000, staggerMs = 60_000 } = {}) {
  mirrors = await Promise.all(answers.map(startMirror));
  return createBeaconClient({ chain, mirrors: mirrors.map(({ url }) => url), timeoutMs, staggerMs });
}

function asked(): boolean[] {
  return mirrors.map(({ paths }) => paths.length > 0);
}

describe("the client of the beacon", () => {
  it("fetches a round that the chain has signed, and asks nobody else", async () => {
    const client = await clientOf([right, right]);
    expect(await client.fetchRound(round)).toEqual(known);
    expect(mirrors.map(({ paths }) => paths)).toEqual([[`/${chain.hash}/public/${round}`], []]);
  });

  it("makes the random number of the signature, whatever the mirror says", async () => {
    const client = await clientOf([withRound(round, signature)]);
    expect(await client.fetchRound(round)).toMatchObject({ randomness: randomnessOf(signature) });
  });

  const wrong: [string, Answer, string][] = [
    [
      "a signature of another round",
      withRound(round, chain.sign(round + 1)),
      "answered with a signature that is not the chain's",
    ],
    [
      "a signature of another chain",
      withRound(round, createChain(2).sign(round)),
      "answered with a signature that is not the chain's",
    ],
    ["another round", withRound(round + 1, chain.sign(round + 1)), `did not answer with round ${round}`],
    ["no signature", withText(200, JSON.stringify({ round })), "answered without a signature"],
    ["a short signature", withRound(round, signature.slice(2)), "answered without a signature"],
    ["null", withText(200, "null"), `did not answer with round ${round}`],
    ["a page", withText(200, "<!doctype html>"), "answered with what is no JSON"],
    ["nothing", withText(200, ""), "answered with what is no JSON"],
    ["a round that is not published yet", withText(404, "{}"), "answered with the status 404"],
    ["too much", withText(200, " ".repeat(5_000)), "an answer of more than 4096 bytes"],
    ["a connection that breaks", (response) => response.destroy(), "cannot be reached (UND_ERR_SOCKET)"],
  ];

  it.each(wrong)("is not taken in by %s: the next mirror's right answer counts", async (_, answer) => {
    const client = await clientOf([answer, right]);
    expect(await client.fetchRound(round)).toEqual(known);
  });

  it("says why each mirror was of no use", async () => {
    const client = await clientOf(wrong.map(([, answer]) => answer));
    expect(await client.fetchRound(round)).toEqual({
      isAvailable: false,
      failures: wrong.map(([, , reason], index) => ({ mirror: mirrors[index]?.url, reason })),
    });
  });

  it("does not follow anybody elsewhere", async () => {
    const elsewhere = await startMirror(right);
    const client = await clientOf([withText(302, "", { location: elsewhere.url })]);
    const answer = await client.fetchRound(round);
    await elsewhere.close();
    expect(answer).toMatchObject({ failures: [{ reason: "answered with the status 302" }] });
    expect(elsewhere.paths).toEqual([]);
  });

  it("asks the next mirror while one is slow, takes the first right answer, and leaves the slow one", async () => {
    const client = await clientOf([never, right], { staggerMs: 1 });
    expect(await client.fetchRound(round)).toEqual(known);
    expect(asked()).toEqual([true, true]);
    await mirrors[0]?.left;
  });

  it("waits for a slow mirror that is right while a quick one is wrong", async () => {
    let answerSlow = () => {};
    const slow: Answer = (response, request) => {
      answerSlow = () => right(response, request);
    };
    const client = await clientOf([slow, withText(500, "")], { staggerMs: 1 });
    const answer = client.fetchRound(round);
    await mirrors[1]?.asked;
    answerSlow();
    expect(await answer).toEqual(known);
  });

  it("gives up a mirror that is slow, and one that never ends", async () => {
    const trickle: Answer = (response) => {
      response.write(" ");
    };
    const client = await clientOf([never, trickle], { timeoutMs: 40, staggerMs: 1 });
    expect(await client.fetchRound(round)).toMatchObject({
      isAvailable: false,
      failures: [{ reason: "did not answer within 40 ms" }, { reason: "did not answer within 40 ms" }],
    });
  });

  it("is stopped by its caller", async () => {
    const stop = new AbortController();
    const client = await clientOf([never, right]);
    const answer = client.fetchRound(round, stop.signal);
    await mirrors[0]?.asked;
    stop.abort();
    expect(await answer).toMatchObject({
      isAvailable: false,
      failures: [{ reason: "was not waited for" }, { reason: "was not waited for" }],
    });
    await mirrors[0]?.left;
    expect(asked()).toEqual([true, false]);
  });

  it("asks nobody when it is stopped before it begins", async () => {
    const client = await clientOf([right]);
    expect(await client.fetchRound(round, AbortSignal.abort())).toMatchObject({ isAvailable: false });
    expect(asked()).toEqual([false]);
  });

  it("says that nobody listens", async () => {
    const client = await clientOf([right]);
    await mirrors[0]?.close();
    expect(await client.fetchRound(round)).toMatchObject({
      failures: [{ reason: "cannot be reached (ECONNREFUSED)" }],
    });
  });

  it("knows quicknet and its mirrors by itself", async () => {
    const [recorded] = recordedRounds;
    const urls: string[] = [];
    const fetch = async (url: unknown) => {
      urls.push(String(url));
      if (urls.length < defaultMirrors.length) return new Response("", { status: 503 });
      return Response.json({ round: recorded.round, signature: recorded.signature });
    };
    const client = createBeaconClient({ fetch });
    expect(await client.fetchRound(recorded.round)).toMatchObject({
      isAvailable: true,
      randomness: recorded.randomness,
    });
    expect(urls).toEqual(defaultMirrors.map((mirror) => `${mirror}/${quicknet.hash}/public/1000`));
  });

  it("reads no answer of 400 MiB to its end", async () => {
    const source = await startLongAnswer();
    try {
      const client = createBeaconClient({ mirrors: [source.url], timeoutMs: 10_000 });
      expect(await client.fetchRound(1)).toMatchObject({ isAvailable: false });
      expect(source.requests).toBeGreaterThan(0);
      expect(source.sent).toBeLessThan(LONG_ANSWER_READ_MAX * source.requests);
    } finally {
      await source.close();
    }
  });
});
