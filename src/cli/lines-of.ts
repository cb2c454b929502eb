import { createReadStream } from "node:fs";
import { CommandError } from "./admin-client.ts";

/** The lines of a file, one after the other: it may be larger than the memory. @throws CommandError */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of createReadStream(file, "utf8")) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (rest !== "") yield rest;
}
