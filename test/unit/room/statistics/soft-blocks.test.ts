import { expect, test } from "vitest";
import { addressBlock } from "../../../../src/lib/address-block.ts";
import { createSoftBlocks } from "../../../../src/room/statistics/process-counts.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

function start() {
  const clock = createMovedClock();
  return { clock, blocks: createSoftBlocks(clock) };
}
const of = (address: string) => addressBlock(address);
const none = { rate: 0, entries: 0, network: 0 };
const unchecked = { asked: 0, slowed: 0, passed: 0, failed: 0 };

test("networks are told, and no addresses: those first that most were refused from, with the rule", () => {
  const { blocks } = start();
  blocks.join();
  for (const last of [1, 2, 3]) blocks.refuse("rate", of(`203.0.113.${last}`));
  blocks.refuse("entries", of("2001:db8:1:2::5"));
  blocks.refuse("network", of("2001:db8:1:3::5"), "hosting");
  blocks.refuse("rate", null);
  expect(blocks.seen).toMatchObject({
    joined: 1,
    refused: { rate: 4, entries: 1, network: 1 },
    networks: [
      { range: "203.0.113.0/24", rule: null, refused: { ...none, rate: 3 }, checked: unchecked },
      { range: "2001:db8:1::/48", rule: "hosting", refused: { rate: 0, entries: 1, network: 1 } },
    ],
  });
  expect(JSON.stringify(blocks.seen)).not.toMatch(/203\.0\.113\.[123]|:2::|:3::/);
});

test("the last five to ten minutes count, also behind a clock that was set back", () => {
  const { clock, blocks } = start();
  const beganMs = clock.now();
  blocks.refuse("rate", of("203.0.113.1"));
  clock.advance(299_000);
  blocks.refuse("rate", of("203.0.113.1"));
  clock.advance(2_000);
  blocks.refuse("rate", of("203.0.113.2"));
  expect(blocks.seen).toMatchObject({ sinceMs: beganMs, refused: { rate: 3 }, networks: [{ refused: { rate: 3 } }] });
  clock.advance(300_000);
  expect(blocks.seen.refused.rate).toBe(1);
  clock.advance(3_600_000);
  expect(blocks.seen).toMatchObject({ joined: 0, refused: none, networks: [] });
  blocks.join();
  clock.advance(-60_000);
  expect(blocks.seen).toMatchObject({ sinceMs: clock.now(), joined: 0 });
});

test("of checks it tells how many were asked, how many had harder work, and what came of it, by network", () => {
  const { clock, blocks } = start();
  const [school, farm] = [of("203.0.113.1"), of("2001:db8:1:2::5")];
  blocks.refuse("rate", of("198.51.100.1"));
  for (const isHarder of [false, false, true]) blocks.check("asked", school, isHarder);
  for (const outcome of ["passed", "waited", "let_in"] as const) blocks.check(outcome, school, false);
  clock.advance(301_000);
  for (const outcome of ["asked", "too_easy", "forged", "used"] as const) blocks.check(outcome, farm, true);
  blocks.check("asked", null, false);
  expect(blocks.seen).toMatchObject({
    refused: { ...none, rate: 1 },
    checked: { asked: 5, slowed: 2, passed: 2, failed: 3 },
    networks: [
      { range: "2001:db8:1::/48", refused: none, checked: { asked: 1, slowed: 1, passed: 0, failed: 3 } },
      { range: "198.51.100.0/24", refused: { ...none, rate: 1 }, checked: unchecked },
      { range: "203.0.113.0/24", refused: none, checked: { asked: 3, slowed: 1, passed: 2, failed: 0 } },
    ],
  });
});

test("of a flood of networks so many are remembered, and all are in the sums", () => {
  const { blocks } = start();
  for (let at = 0; at < 5_000; at++) blocks.refuse("rate", of(`10.${at >> 8}.${at & 255}.1`));
  for (let again = 0; again < 9; again++) blocks.refuse("rate", of("10.0.7.1"));
  expect(blocks.seen.refused.rate).toBe(5_009);
  expect(blocks.seen.networks).toHaveLength(20);
  expect(blocks.seen.networks[0]).toMatchObject({ range: "10.0.7.0/24", refused: { rate: 10 } });
});

test("a crowd of which a check is asked hides nobody who is refused, or fails it", () => {
  const { blocks } = start();
  const known = of("10.0.7.1");
  for (let at = 0; at < 5_000; at++) blocks.check("asked", of(`10.${at >> 8}.${at & 255}.1`), false);
  for (const address of [of("203.0.113.1"), known, known]) blocks.refuse("rate", address);
  blocks.check("asked", known, false);
  blocks.check("forged", of("198.51.100.1"), false);
  expect(blocks.seen).toMatchObject({ refused: { rate: 3 }, checked: { asked: 5_001, failed: 1 } });
  expect(blocks.seen.networks.slice(0, 4)).toMatchObject([
    { range: "10.0.7.0/24", refused: { rate: 2 }, checked: { asked: 2, failed: 0 } },
    { range: "203.0.113.0/24", refused: { rate: 1 } },
    { range: "198.51.100.0/24", checked: { failed: 1 } },
    { refused: none, checked: { asked: 1 } },
  ]);
});
