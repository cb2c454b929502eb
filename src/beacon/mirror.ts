import type { BeaconChain } from "../draw/index.ts";

/** Servers that pass on what drand's nodes publish. Usher checks every value that they send. */
export const defaultMirrors: readonly string[] = [
  "https://api.drand.sh",
  "https://api2.drand.sh",
  "https://api3.drand.sh",
  "https://drand.cloudflare.com",
];

/** Why a mirror's answer is none. */
export class MirrorError extends Error {
  override name = "MirrorError";
}

export type Fetch = typeof globalThis.fetch;

/** Bytes. Drand's own answers take some 250. */
const lengthMax = 4_096;

/**
 * What a mirror calls the signature of a round, hexadecimal: not checked yet. Redirects are not followed.
 *
 * @throws MirrorError, or whatever `fetch` throws
 */
export async function askMirror(
  fetch: Fetch,
  { mirror, chain, round }: { readonly mirror: string; readonly chain: BeaconChain; readonly round: number },
  signal: AbortSignal,
): Promise<string> {
  const url = `${mirror.replace(/\/+$/, "")}/${chain.hash}/public/${round}`;
  const response = await fetch(url, { headers: { accept: "application/json" }, redirect: "manual", signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new MirrorError(`answered with the status ${response.status}`);
  }
  const answer = readJson(await readShort(response));
  if (answer.round !== round) throw new MirrorError(`did not answer with round ${round}`);
  if (typeof answer.signature !== "string" || !/^[0-9a-f]{96}$/.test(answer.signature)) {
    throw new MirrorError("answered without a signature");
  }
  return answer.signature;
}

async function readShort({ body }: Response): Promise<string> {
  if (body === null) throw new MirrorError("answered with nothing");
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > lengthMax) throw new MirrorError(`answered with more than ${lengthMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function readJson(text: string): { readonly round?: unknown; readonly signature?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new MirrorError("answered with what is no JSON");
  }
}
