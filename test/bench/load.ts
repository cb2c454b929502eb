import autocannon from "autocannon";

/** Requests per second and latencies of one run. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly total: number;
  /** Answers that were not 2xx, and connections that failed. */
  readonly failures: number;
}

export interface LoadOptions {
  readonly method?: "GET" | "POST";
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly durationSec: number;
  readonly connections?: number;
}

/** Keep-alive load on a loopback address, bounded in time. */
export async function load({
  method = "GET",
  url,
  headers = {},
  durationSec,
  connections = 64,
}: LoadOptions): Promise<LoadResult> {
  const result = await autocannon({ method, url, headers, duration: durationSec, connections });
  return {
    requestsPerSecond: Math.round(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    total: result.requests.total,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
