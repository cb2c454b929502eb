/** What keys take in Redis, as far as visitors could make it grow. */

/** What comes with the seconds, whoever waits, or has an end: rows of slots and minutes; and the count of open pages, 16 kB at most. */
const ofTime = /:(statistics_\w+|events|admission_log|open_pages)$/;

interface Redis {
  command(name: string, ...args: string[]): Promise<unknown>;
}

/** In bytes. @param pattern as `KEYS` takes it */
export async function memoryOfKeys(redis: Redis, pattern: string): Promise<number> {
  const keys = (await redis.command("KEYS", pattern)) as string[];
  let bytes = 0;
  for (const key of keys.filter((each) => !ofTime.test(each)))
    bytes += Number(await redis.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
  return bytes;
}
