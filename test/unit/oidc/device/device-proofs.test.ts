import { expect, test } from "vitest";
import { createDeviceProofs, purposeOf } from "../../../../src/oidc/device/device-proofs.ts";
import { createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import { createDeviceKey } from "../../../support/device-key.ts";

const secret = (fill: number) => ({ kid: `key-${fill}`, secret: Buffer.alloc(32, fill) });
const room = { name: "tickets" };
const uri = "https://wait.example.com/rooms/tickets/device";
const purpose = purposeOf(room, "/authorize?client_id=shop");

test("a proof counts for five minutes after its nonce was made, and says what it is for", async () => {
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs };
  const proofs = createDeviceProofs(createKeyRing([secret(1)]), clock);
  const key = await createDeviceKey();
  const proof = await key.prove(uri, proofs.nonceFor(room, purpose));
  const expected = { thumbprint: key.thumbprint, purpose };
  clock.nowMs += 299_999;
  expect(await proofs.read(room, proof, uri)).toEqual(expected);
  clock.nowMs += 1;
  expect(await proofs.read(room, proof, uri)).toBe("stale");
  // A clock that was set back gives it no longer life than it had.
  clock.nowMs -= 600_000;
  expect(await proofs.read(room, proof, uri)).toEqual(expected);
});

test("a nonce of another process counts while this one knows its key, and in its own room alone", async () => {
  const clock = { now: () => 1_000_000 };
  const [before, after] = [createKeyRing([secret(1)]), createKeyRing([secret(2), secret(1)])];
  const key = await createDeviceKey();
  const proof = await key.prove(uri, createDeviceProofs(before, clock).nonceFor(room, purpose));
  expect(await createDeviceProofs(after, clock).read(room, proof, uri)).toMatchObject({ purpose });
  expect(await createDeviceProofs(after, clock).read({ name: "other" }, proof, uri)).toBe("stale");
  expect(await createDeviceProofs(createKeyRing([secret(2)]), clock).read(room, proof, uri)).toBe("stale");
});

test("what a login is for is another thing for each address and each line", () => {
  const address = "/authorize?client_id=shop&state=1";
  const names = [purposeOf(room, address), purposeOf(room, `${address}2`), purposeOf(room, null)];
  expect(new Set([...names, purposeOf({ name: "tickets-2" }, address)]).size).toBe(4);
});
