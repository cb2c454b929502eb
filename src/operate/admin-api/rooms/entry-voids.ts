/** Entries of a draw by the blocks of addresses that they came from, and voiding them in public before they are drawn. */
import { z } from "zod";
import { flag, list, text } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { type EntryVoid, voidedEntriesOf, type WaitingRoom } from "../../../room/index.ts";
import type { AdminRequest, AdminRoute, RoutesAbout } from "../admin-router.ts";
import { badRequest, object, queryNumber, timeOrNull, timeText } from "../bodies.ts";

const blocksMax = 50;
const reasonMax = 200;

const block = text("a block as the list of blocks names it", 8).refine((value) => /^[\w-]{8}$/.test(value), {
  error: "expected a block as GET …/draw/blocks names it, of 8 characters",
});
const voidBody = object({
  blocks: list(block, blocksMax).refine((blocks) => blocks.length > 0, { error: "expected at least one block" }),
  reason: text("why, for everybody to read", reasonMax),
  dry_run: flag().optional(),
});
const blocksQuery = object({
  limit: queryNumber(1, 200).default(20),
  address: text("the address of a visitor", 100).optional(),
});

const range = z.tuple([z.int(), z.int()]);
const entryVoid = z
  .object({
    reference: z.string(),
    draw: z.int(),
    reason: z.string(),
    blocks: z.array(z.string()),
    entries: z.int(),
    numbers: z.array(range),
    at: timeText,
    restored_at: timeText.nullable(),
  })
  .meta({ id: "EntryVoid" });
const blockCount = z
  .object({ block: z.string(), entries: z.int(), share: z.number(), voided: z.array(z.string()) })
  .meta({ id: "EntryBlock" });
const blocksAnswer = z
  .object({
    draw: z.int(),
    edition: z.int(),
    entries: z.int(),
    known: z.int(),
    addresses: z.array(blockCount),
    networks: z.array(blockCount),
    asked: z.object({ address: blockCount, network: blockCount }).nullable(),
  })
  .meta({ id: "EntryBlocks" });
const voidAnswer = z.object({
  reference: z.string().nullable(),
  entries: z.int(),
  dry_run: z.boolean(),
});
const voidsAnswer = z.object({ edition: z.int(), voids: z.array(entryVoid) });

const tag = "Line";
type OnRoom<Query, Body> = AdminRequest<WaitingRoom, Query, Body>;

export function entryVoidRoutes(route: RoutesAbout<WaitingRoom>): AdminRoute[] {
  return [
    route(
      "GET",
      "/draw/blocks",
      {
        summary: "Lists the addresses and networks, as keyed hashes, with the most entries in the draw.",
        tag,
        role: "viewer",
        query: blocksQuery,
        answers: blocksAnswer,
        errors: ["conflict"],
      },
      listBlocks,
    ),
    route(
      "GET",
      "/draw/voids",
      { summary: "Lists the entries that are voided, and why.", tag, role: "viewer", answers: voidsAnswer },
      async ({ subject: room }) => {
        await room.refresh();
        return { edition: room.state?.edition ?? 0, voids: (room.state?.voids ?? []).map(voidJson) };
      },
    ),
    route(
      "POST",
      "/draw/voids",
      {
        summary: "Voids the entries of some blocks, with a reason that everybody reads, while the draw takes entries.",
        tag,
        role: "operator",
        body: voidBody,
        isRepeatable: true,
        answers: voidAnswer,
        errors: ["conflict"],
      },
      voidEntries,
    ),
    route(
      "DELETE",
      "/draw/voids/:reference",
      {
        summary: "Gives voided entries back, while the draw takes entries.",
        tag,
        role: "operator",
        answers: entryVoid,
        errors: ["conflict", "not_found"],
      },
      restoreEntries,
    ),
  ];
}

async function listBlocks({ subject: room, query }: OnRoom<z.output<typeof blocksQuery>, undefined>) {
  const draw = await room.voids.taking();
  const counts = await room.voids.counts(draw, query.limit);
  const voids = (room.state?.voids ?? []).filter(
    (entryVoid) => entryVoid.draw === draw.id && entryVoid.restoredMs === 0,
  );
  const tell = ({ block: name, entries }: { readonly block: string; readonly entries: number }) => ({
    block: name,
    entries,
    share: counts.entries === 0 ? 0 : Math.round((entries / counts.entries) * 10_000) / 10_000,
    voided: voids.filter(({ blocks }) => blocks.includes(name)).map(({ reference }) => reference),
  });
  return {
    draw: draw.id,
    edition: room.state?.edition ?? 0,
    entries: counts.entries,
    known: counts.withAddress,
    addresses: counts.addresses.map(tell),
    networks: counts.networks.map(tell),
    asked: query.address === undefined ? null : await lookUp(query.address),
  };

  async function lookUp(address: string) {
    const found = room.voids.blocksOf(draw, address);
    if (found === null) {
      throw badRequest([
        { path: ["address"], message: "expected the IP address of a visitor, and the key of the draw" },
      ]);
    }
    const count = async (name: string) => tell({ block: name, entries: await room.voids.count(draw.id, [name]) });
    return { address: await count(found.address), network: await count(found.network) };
  }
}

async function voidEntries({
  subject: room,
  body,
  requestId,
  principal,
  notes,
}: OnRoom<unknown, z.output<typeof voidBody>>) {
  const blocks = [...new Set(body.blocks)];
  const draw = await room.voids.taking().catch((error: unknown) => {
    // A void that is repeated after the closing gets its first answer.
    const last = error instanceof UsherError && error.code === "conflict" ? room.state?.draws.at(-1) : undefined;
    if (last === undefined || requestId === null || body.dry_run === true) throw error;
    return last;
  });
  if (body.dry_run === true) {
    notes.isNothingNew = true;
    return { reference: null, entries: await room.voids.countEntries(draw.id, blocks), dry_run: true };
  }
  const voided = await room.voids.void({ draw: draw.id, blocks, reason: body.reason }, requestId, principal.id);
  const { reference } = voided;
  const path = `/rooms/${room.id}/draw/voids/${reference}`;
  notes.subject = { void: reference };
  notes.changed({}, auditedVoid(voided), { method: "DELETE", path, body: null });
  return { reference, entries: voidedEntriesOf(voided), dry_run: false };
}

async function restoreEntries({ ctx, subject: room, principal, notes }: OnRoom<unknown, undefined>) {
  const reference = String(ctx.params.reference).toUpperCase();
  await room.refresh();
  const before = room.state?.voids.find((entryVoid) => entryVoid.reference === reference);
  const restored = await room.voids.restore(reference, principal.id);
  notes.subject = { void: reference };
  notes.isNothingNew = before !== undefined && before.restoredMs > 0;
  notes.removed(auditedVoid(restored));
  return voidJson(restored);
}

/** Without the numbers, which may be thousands. */
function auditedVoid(voided: EntryVoid) {
  const { reason, blocks } = voided;
  return { reason, blocks: [...blocks], entries: voidedEntriesOf(voided) };
}

function voidJson(voided: EntryVoid) {
  const { reference, draw, reason, blocks, numbers, atMs, restoredMs } = voided;
  return {
    reference,
    draw,
    reason,
    blocks,
    entries: voidedEntriesOf(voided),
    numbers: numbers.map(({ from, to }): [number, number] => [from, to]),
    at: timeOrNull(atMs) ?? "",
    restored_at: restoredMs === 0 ? null : timeOrNull(restoredMs),
  };
}
