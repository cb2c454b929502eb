import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RedisServer, startRedis } from "./redis-server.ts";
import { makeTempDir } from "./temp-dir.ts";

/** A private redis-server on a host whose clock can be set. */
export interface RedisWithClock extends RedisServer {
  /** Sets it to so many seconds from the true time. */
  setClock(offsetSec: number): Promise<void>;
}

/**
 * libfaketime stands between the server and the system's clock. Its own start asks for memory, and jemalloc, on which Redis is
 * built, asks for the time when it starts: so the memory comes from libc.
 */
const preload = "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1:libc.so.6";

export async function startRedisWithClock(): Promise<RedisWithClock> {
  const dir = await makeTempDir("clock");
  const file = join(dir.path, "offset");
  const setClock = async (offsetSec: number) => {
    // It is read again at each question for the time, so it is never half written.
    await writeFile(`${file}.next`, `${offsetSec < 0 ? "" : "+"}${offsetSec}`);
    await rename(`${file}.next`, file);
  };
  await setClock(0);
  const variables = [
    preload,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    "FAKETIME_NO_CACHE=1",
    "FAKETIME_DONT_FAKE_MONOTONIC=1",
  ];
  const redis = await startRedis([], variables);
  return {
    ...redis,
    setClock,
    async stop() {
      await redis.stop();
      await dir.remove();
    },
  };
}
