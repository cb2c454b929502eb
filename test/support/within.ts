import { setTimeout as delay } from "node:timers/promises";

const everyMs = 50;

/**
 * Waits for what is promised within so many milliseconds: asks every 50 ms, and no oftener than fits into them. Each answer takes its
 * own time besides, so where the machine is busy with other things, and gateways hear later of everything, there is more of it.
 *
 * @throws what the last `check` threw
 */
export async function within<T>(ms: number, check: () => Promise<T>): Promise<T> {
  for (let left = Math.ceil(ms / everyMs); ; left--) {
    try {
      return await check();
    } catch (error) {
      if (left <= 0) throw error;
    }
    await delay(everyMs);
  }
}
