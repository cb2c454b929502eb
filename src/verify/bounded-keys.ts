import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

/** Bytes. A gateway's key set has some kilobytes. */
const bytesMax = 262_144;

/** The keys at an address, in an answer of bounded length; jose bounds its time, and asks for one at a time. */
export function keysAt(url: URL): JWTVerifyGetKey {
  return createRemoteJWKSet(url, { [customFetch]: fetchKeys });
}

async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const { body, status } = await fetch(url, init);
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > bytesMax) throw new Error(`a key set of more than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return new Response(text === "" ? null : text, { status });
}
