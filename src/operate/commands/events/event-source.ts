import { CommandError } from "../terminal.ts";

/** A message of a stream of server-sent events. */
export interface StreamMessage {
  /** Behind which to go on. */
  readonly id: string;
  /** Empty where the message says no more than where the stream stands. */
  readonly data: string;
}

/** Characters of one message. */
const lengthMax = 1_048_576;

/**
 * Reads server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. A message that the end
 * of the stream cuts short is dropped, as the specification says.
 *
 * @throws CommandError where a message is too long
 */
export async function* messagesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the very end may have its LF in the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (line === "") {
        if (data.length > 0 || id !== "") yield { id, data: data.join("\n") };
        data = [];
        length = 0;
      } else if (field === "data") {
        data.push(value);
        // An empty line counts, too.
        length += value.length + 1;
      } else if (field === "id") id = value;
    }
    if (rest.length + length > lengthMax) throw new CommandError("an event is longer than any event is: check --url");
  }
}
