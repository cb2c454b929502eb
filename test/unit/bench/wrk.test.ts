import { expect, test } from "vitest";
import { readResult } from "../../bench/many/wrk.ts";

const output = `Running 5s test @ http://127.0.0.1:3000/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.90ms    2.50ms  41.47ms   93.24%
    Req/Sec    41.43k     4.32k   48.98k    76.00%
  Latency Distribution
     50%  500.00us
     75%    1.66ms
     90%    3.84ms
     99%    1.20s
  206190 requests in 5.00s, 25.76MB read
`;

test("reads what wrk prints", () => {
  expect(readResult(`${output}Requests/sec:  41227.80\nTransfer/sec:      5.15MB\n`)).toEqual({
    requestsPerSecond: 41_227.8,
    total: 206_190,
    p50Ms: 0.5,
    p99Ms: 1_200,
    failures: 0,
  });
});

test("counts all kinds of failures", () => {
  const errors = "  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 5\n";
  expect(readResult(`${output}${errors}Requests/sec:  41227.80\n`).failures).toBe(15);
});
