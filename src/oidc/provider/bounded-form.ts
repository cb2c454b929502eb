import type { IncomingMessage } from "node:http";
import { pairsMax } from "../../lib/request-bounds.ts";

const ampersand = 0x26;

/**
 * oidc-provider reads forms itself, up to 56 kB of them (its lib/shared/selective_body.js), and would parse as many fields as
 * fit: the reading ends at one too many, and the answer is `invalid_request`.
 */
export function boundForm(request: IncomingMessage): void {
  const read = request.iterator.bind(request);
  request.iterator = async function* (options) {
    let pairs = 1;
    for await (const chunk of read(options) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(ampersand); at >= 0; at = chunk.indexOf(ampersand, at + 1)) pairs++;
      if (pairs > pairsMax) throw new RangeError(`the form has more than ${pairsMax} fields`);
      yield chunk;
    }
  };
}
