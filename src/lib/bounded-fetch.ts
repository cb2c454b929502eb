/** Bytes. Documents, keys and claims of providers are some kilobytes. */
const usualMax = 1_048_576;

/** `fetch`, which breaks off an answer of more than so many bytes; by default, of more than anything that a provider has to say. */
export const boundedFetch = createBoundedFetch(usualMax);

export function createBoundedFetch(answerMax: number) {
  return (url: string | URL, init?: object): Promise<Response> => fetchAtMost(answerMax, url, init);
}

async function fetchAtMost(answerMax: number, url: string | URL, init?: object): Promise<Response> {
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
