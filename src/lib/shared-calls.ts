interface Waiting<Request, Answer> {
  readonly request: Request;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Makes requests in shared calls: those of one turn of the event loop go together, and so do those that come while calls are under way, in
 * their order. Under load this makes fewer, larger calls; a request that comes alone is sent in the same turn.
 *
 * @param call answers as many requests as it is given, in their order; if it fails, so do all of them
 * @param most requests that one call takes
 * @param isCutOff whether calls fail at once now; then a request is not queued behind one that waits for its deadline
 */
export function createSharedCalls<Request, Answer>({
  call,
  most,
  isCutOff,
}: {
  readonly call: (requests: readonly Request[]) => Promise<readonly Answer[]>;
  readonly most: number;
  readonly isCutOff: () => boolean;
}): (request: Request) => Promise<Answer> {
  const queue: Waiting<Request, Answer>[] = [];
  let isUnderWay = false;

  async function makeCall(some: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await call(some.map(({ request }) => request));
      for (const [index, { resolve }] of some.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  async function makeCalls(): Promise<void> {
    while (queue.length > 0) {
      // All that wait, at once: nobody stands behind more than what was under way already, however slow it is.
      const calls: Promise<void>[] = [];
      while (queue.length > 0) calls.push(makeCall(queue.splice(0, most)));
      await Promise.all(calls);
    }
    isUnderWay = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      if (isCutOff()) return void makeCall([waiting]);
      queue.push(waiting);
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(() => void makeCalls());
    });
}
