import { expect, test } from "vitest";
import { readReport } from "../../bench/load.ts";

const report = `Running 3s test @ http://127.0.0.1:3000/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   637.90us    1.49ms  22.69ms   97.17%
    Req/Sec    24.50k     5.05k   29.33k    87.10%
  Latency Distribution
     50%  482.00us
     75%    1.05ms
     90%    2.50ms
     99%    1.02s
  75592 requests in 3.10s, 1.27GB read
Requests/sec:  24384.51
Transfer/sec:    420.12MB
`;

test("what wrk has seen is read from its report", () => {
  expect(readReport(report)).toEqual({
    requestsPerSecond: 24_385,
    p50Ms: expect.closeTo(0.482) as number,
    p99Ms: 1_020,
    total: 75_592,
    failures: 0,
  });
});

test("answers that were refused and connections that failed are failures", () => {
  const failed = report.replace(
    "Requests/sec",
    "  Socket errors: connect 1, read 2, write 0, timeout 3\n  Non-2xx or 3xx responses: 40\nRequests/sec",
  );
  expect(readReport(failed).failures).toBe(46);
});

test("what is no report is shown", () => {
  expect(() => readReport("unable to connect to 127.0.0.1:1")).toThrow(/something else.*\nunable to connect/s);
});
