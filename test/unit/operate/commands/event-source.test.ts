/** The stream may be cut anywhere: the messages stay the same. */
import { expect, test } from "vitest";
import { messagesOf } from "../../../../src/operate/commands/events/event-source.ts";

async function read(chunks: readonly Uint8Array[]) {
  const messages = [];
  for await (const message of messagesOf(
    (async function* () {
      yield* chunks;
    })(),
  ))
    messages.push(message);
  return messages;
}

const stream =
  'retry: 2000\nid: 1-2\n\n:\n\nid: 1-3\ndata: {"a":"ü\u2028"}\n\r\nid:1-4\r\ndata: one\ndata:two\r\n\r\nid: 1-5\ndata: cut';
const expected = [
  { id: "1-2", data: "" },
  { id: "1-2", data: "" },
  { id: "1-3", data: '{"a":"ü\u2028"}' },
  { id: "1-4", data: "one\ntwo" },
];

test.each([1, 2, 3, 7, 1_000])("in chunks of %i bytes", async (size) => {
  const bytes = Buffer.from(stream);
  const chunks = [];
  for (let from = 0; from < bytes.length; from += size) chunks.push(bytes.subarray(from, from + size));
  expect(await read(chunks)).toEqual(expected);
});

test.each(["x", "data: x\n", "data\n"])("an event without an end (%j) is given up, not gathered", async (part) => {
  const chunk = Buffer.from(part.repeat(200_000));
  await expect(read(Array(12).fill(chunk))).rejects.toThrow(/longer than any event/);
});
