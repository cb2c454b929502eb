import { type Answer, openConnection } from "./connection.ts";

/**
 * Asks so many questions, on connections that each ask the next one as soon as they are answered.
 *
 * @param requestOf of a question, by its number from 0
 */
export function askAll(
  port: number,
  count: number,
  requestOf: (index: number) => Buffer,
  take: (answer: Answer, index: number) => void,
  connections = 64,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = Math.min(connections, count);
    if (open === 0) resolve();
    for (let at = open; at > 0; at--) {
      const connection = openConnection(port, (reason) => reject(new Error(reason)));
      const askNext = () => {
        if (next === count) {
          connection.end();
          open--;
          if (open === 0) resolve();
          return;
        }
        const index = next++;
        connection.ask(requestOf(index), (answer) => {
          take(answer, index);
          askNext();
        });
      };
      askNext();
    }
  });
}
