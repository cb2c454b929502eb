import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createLogDestination } from "../../../src/lib/log-destination.ts";

/** A reader who takes nothing until `read` is called. */
function slowReader() {
  const lines: string[] = [];
  let goOn = () => {};
  let hangs = true;
  const output = new Writable({
    decodeStrings: false,
    write(line, _, done) {
      lines.push(String(line));
      if (hangs) goOn = done;
      else done();
    },
  });
  const read = () => {
    hangs = false;
    goOn();
  };
  return { output, lines, read };
}

it("keeps what the reader does not take, up to a bound, and says how much was left out", async () => {
  const { output, lines, read } = slowReader();
  const log = createLogDestination(output);
  const line = "x".repeat(1_048_576);
  for (let count = 0; count < 10; count++) log.write(line);
  expect(output.writableLength).toBeLessThan(6_291_456);
  read();
  await expect.poll(() => lines.at(-1) ?? "").toContain("log.lines_dropped");
  const told = lines.slice(0, -1);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    level: 40,
    count: 10 - told.length,
    event: "log.lines_dropped",
  });
  expect(told).toEqual(Array(told.length).fill(line));
  log.write("next");
  expect(lines.at(-1)).toBe("next");
});

it("waits for the last lines no longer than it may, and not at all where nothing waits", async () => {
  const { output, read } = slowReader();
  const log = createLogDestination(output);
  await log.flush(60_000);
  log.write("last");
  await log.flush(1);
  const flushed = log.flush(60_000);
  read();
  await flushed;
  expect(output.writableLength).toBe(0);
});

it("goes on where nobody reads any more", () => {
  const { output } = slowReader();
  const log = createLogDestination(output);
  output.emit("error", new Error("EPIPE"));
  expect(() => log.write("x")).not.toThrow();
});
