/** Clients of the interface, as its samples are: plain `fetch` in public, aws4fetch in private. */
import { AwsClient } from "aws4fetch";

export const accessKeyId = "AKIDEXAMPLE";
export const secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
export const publicPath = "/aws/public";
export const privatePath = "/aws/private/api";

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  /** Of JSON. */
  readonly body: Record<string, unknown>;
  readonly text: string;
}

export async function said(response: Promise<Response>): Promise<Said> {
  const { status, headers } = await response;
  const text = await (await response).text();
  return { status, headers, text, body: text === "" ? {} : JSON.parse(text) };
}

/** @param origin of a gateway */
export function createHomeClient(origin: () => string, event = "Sample") {
  const get = (name: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    said(fetch(`${origin()}${publicPath}/${name}?${new URLSearchParams(query)}`, { headers }));
  const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
    said(
      fetch(`${origin()}${publicPath}/${name}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  const aws = new AwsClient({ accessKeyId, secretAccessKey, service: "execute-api", region: "eu-west-1", retries: 0 });
  const privately = (method: "GET" | "POST", name: string, values: Record<string, unknown> = {}, client = aws) => {
    const url = `${origin()}${privatePath}/${name}`;
    return said(
      method === "GET"
        ? client.fetch(`${url}?${new URLSearchParams(values as Record<string, string>)}`)
        : client.fetch(url, { method, body: JSON.stringify(values) }),
    );
  };
  return {
    get,
    post,
    privately,
    async assign(): Promise<string> {
      const { status, body } = await post("assign_queue_num", { event_id: event });
      if (status !== 200) throw new Error(`assign_queue_num answered ${status}`);
      return String(body.api_request_id);
    },
    queueNum: (id: string) => get("queue_num", { event_id: event, request_id: id }),
    expiry: (id: string) => get("queue_pos_expiry", { event_id: event, request_id: id }),
    token: (id: string) => post("generate_token", { event_id: event, request_id: id }),
    increment: (by: number) => privately("POST", "increment_serving_counter", { event_id: event, increment_by: by }),
    session: (id: string, status: number) =>
      privately("POST", "update_session", { event_id: event, request_id: id, status }),
    activeTokens: () => privately("GET", "num_active_tokens", { event_id: event }),
    expiredTokens: () => privately("GET", "expired_tokens", { event_id: event }),
  };
}

export const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The configuration of a home, laid over a world's. */
export function homeOf(events: Record<string, string>, more: object = {}) {
  const key = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  return { homes: { aws: { events, keys: [key], ...more } } };
}
