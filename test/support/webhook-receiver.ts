import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

/** What a receiver does with a request. What it cuts or answers late it has had all the same. */
export type Behaviour = "accept" | "refuse" | "redirect" | "cut" | "late" | "hang";

/** A real receiver of webhooks, which accepts unless it is told otherwise. */
export interface WebhookReceiver {
  readonly url: string;
  /** What it has had, repeats among them. */
  readonly received: ReceivedEvent[];
  readonly requests: { readonly headers: Record<string, string>; readonly body: string }[];
  /** For the next requests. */
  readonly behaviours: Behaviour[];
  /** For all others. */
  usual: Behaviour;
  close(): Promise<void>;
}

const lateMs = 700;

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const behaviour = receiver.behaviours.shift() ?? receiver.usual;
      receiver.requests.push({ headers: request.headers as Record<string, string>, body });
      if (!["refuse", "redirect", "hang"].includes(behaviour)) receiver.received.push(JSON.parse(body));
      behave(behaviour, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/usher`,
    received: [],
    requests: [],
    behaviours: [],
    usual: "accept",
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === "accept") response.writeHead(204).end();
  if (behaviour === "refuse") response.writeHead(503).end("busy");
  if (behaviour === "redirect") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  if (behaviour === "cut") response.destroy();
  if (behaviour === "late") setTimeout(() => response.writeHead(204).end(), lateMs);
}
