/**
 * Amazon EventBridge as far as PutEvents goes, on a port of this machine. Built from AWS' documentation: request, answer and bounds from the EventBridge
 * API Reference, "PutEvents" (https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html); the wire is JSON 1.1, as Smithy has it
 * (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html).
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface PutEntry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly EventBusName: string;
  readonly Time: number;
}

export interface EventBridgeDouble {
  readonly url: string;
  /** Accepted, in order. */
  readonly entries: PutEntry[];
  /** Of requests that were not as the service takes them. */
  readonly faults: string[];
  /** Refuses so many of the next requests, or one entry of each. */
  refuse(times: number, how: "all" | "last"): void;
  stop(): Promise<void>;
}

export async function startEventBridge(): Promise<EventBridgeDouble> {
  const entries: PutEntry[] = [];
  const faults: string[] = [];
  let refusals: { times: number; how: "all" | "last" } = { times: 0, how: "all" };
  const server = createServer(async (request, response) => {
    const { Entries: sent } = (await json(request)) as { Entries: PutEntry[] };
    const scope = /Credential=\w+\/\d{8}\/eu-west-1\/events\/aws4_request/;
    if (request.headers["x-amz-target"] !== "AWSEvents.PutEvents") faults.push("another operation");
    if (!scope.test(request.headers.authorization ?? "")) faults.push("another signature");
    if (sent.length === 0 || sent.length > 10) faults.push(`${sent.length} entries`);
    response.setHeader("Content-Type", "application/x-amz-json-1.1");
    const isRefused = refusals.times > 0;
    if (isRefused) refusals.times--;
    if (isRefused && refusals.how === "all") {
      response.statusCode = 400;
      response.end(
        JSON.stringify({ __type: "AccessDeniedException", message: "not allowed to perform: events:PutEvents" }),
      );
      return;
    }
    const accepted = isRefused ? sent.slice(0, -1) : sent;
    entries.push(...accepted);
    const results = sent.map((_, at) =>
      at < accepted.length ? { EventId: String(at) } : { ErrorCode: "InternalFailure" },
    );
    response.end(JSON.stringify({ FailedEntryCount: sent.length - accepted.length, Entries: results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries,
    faults,
    refuse(times, how) {
      refusals = { times, how };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
