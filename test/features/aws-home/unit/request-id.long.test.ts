// Long: a million ids are made and read.
import { expect, it } from "vitest";
import { createRequestIds } from "../../../../src/features/aws-home/request-id.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

it("makes a million distinct ids, each of which is read as its place", () => {
  const ring = [{ kid: "a", secret: Buffer.alloc(32, 7) }];
  const random = createSeededRandom("a million ids");
  const ids = createRequestIds({ issuer: "https://q.example", room: "tickets", line: "", keys: () => ring, random });
  const now = { edition: 1_900_000_000, claimMs: 1_900_000_000_000 };
  const seen = new Set<string>();
  let wrong = 0;
  for (let number = 1; number <= 1_000_000; number++) {
    const id = ids.encode({ edition: now.edition, number, joinedMs: now.claimMs });
    seen.add(id);
    if (ids.decode(id, now)?.number !== number) wrong++;
  }
  expect([seen.size, wrong]).toEqual([1_000_000, 0]);
});
