/** Amazon's list prices in US dollars, for what a plan needs. They change, and differ by region: a plan says of when they are. */
export const prices = {
  of: "March 2026, US East (N. Virginia), on demand",
  /** Fargate, Linux on x86: a task of 1 vCPU and 2 GB, for an hour. */
  gatewayHour: 0.04048 + 2 * 0.004445,
  balancerHour: 0.0225,
  /** A capacity unit of the load balancer, for an hour: 1 GB, or 25 new connections a second. */
  balancerUnitHour: 0.008,
  /** Nodes of ElastiCache, the smallest first. */
  redis: [
    { name: "cache.t4g.small", gigabytes: 1.37, hour: 0.032 },
    { name: "cache.m7g.large", gigabytes: 6.38, hour: 0.158 },
    { name: "cache.r7g.xlarge", gigabytes: 26.32, hour: 0.437 },
  ],
  /** From a region to the internet, and from CloudFront. */
  egressGigabyte: 0.09,
  cdnGigabyte: 0.085,
  cdnRequest: 0.01 / 10_000,
} as const;
