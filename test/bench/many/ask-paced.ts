import { type Answer, type Connection, openConnection } from "./connection.ts";

/**
 * Asks so many questions a second, whether those before are answered or not, as visitors come. The time that an answer takes runs from when
 * its question was due: one that had to wait for a free connection is late, too.
 *
 * @returns these times in milliseconds, in order of their length
 */
export async function askPaced(
  port: number,
  perSecond: number,
  durationSec: number,
  questionOf: () => { readonly request: Buffer; take(answer: Answer): void },
  connections = 128,
): Promise<Float64Array> {
  const count = Math.round(perSecond * durationSec);
  const tookMs = new Float64Array(count);
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(reason));
    const free: Connection[] = Array.from({ length: connections }, () => openConnection(port, fail));
    const startedMs = performance.now();
    let next = 0;
    const dueMs = (index: number) => startedMs + (index * 1_000) / perSecond;
    const askDue = () => {
      while (next < count && dueMs(next) <= performance.now()) {
        const connection = free.pop();
        if (connection === undefined) return;
        const index = next++;
        const { request, take } = questionOf();
        connection.ask(request, (answer) => {
          tookMs[index] = performance.now() - dueMs(index);
          take(answer);
          free.push(connection);
          answered++;
          if (answered < count) return askDue();
          clearInterval(timer);
          for (const each of free) each.end();
          resolve();
        });
      }
    };
    const timer = setInterval(askDue, 1);
  });
  return tookMs.sort();
}
