/** Bytes. Documents, keys and claims of providers are some kilobytes. */
const answerMax = 1_048_576;

/** Asks as `fetch` does, and breaks off an answer that is larger than anything a provider has to say. */
export async function boundedFetch(url: string | URL, init?: object): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(url, init as RequestInit);
  let length = 0;
  const bounded = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length > answerMax) throw new Error(`an answer of more than ${answerMax} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded ?? null, { status, statusText, headers });
}
