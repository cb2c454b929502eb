/**
 * A site that has the published connector for JavaScript (npm, @queue-it/connector-javascript): each request is validated by the
 * integration configuration, a redirect is followed, and a good token is taken out of the address.
 */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import connector from "@queue-it/connector-javascript";
import { type SiteServer, startSiteServer } from "../../../support/site-server.ts";

export const customerId = "acme";
export const secretKey = "528f01d4-30f9-4753-95b3-2c8c33966abc";
export const apiKey = "key-of-the-connectors-0123456789";

export interface ConnectorSite extends SiteServer {
  readonly origin: string;
  /** The integration configuration that it goes by. */
  configuration: string;
  secretKey: string;
  /** Seconds by which its clock is fast. */
  clockOffsetSec: number;
  /** Whether browsers get its session's cookie. */
  keepsCookies: boolean;
  /** Sent with each enqueue. */
  enqueueToken: string | null;
  /** Addresses that the connector has sent browsers to. */
  readonly sent: string[];
}

/** Connectors know https alone; the gateways of the tests are on this machine, without it. */
const plain = (address: string) => address.replace(/^https:\/\/localhost:/, "http://localhost:");

export async function startConnectorSite(port: number): Promise<ConnectorSite> {
  const origin = `http://localhost:${port}`;
  const server = await startSiteServer((request, response) => void answer(request, response), { port });
  const site: ConnectorSite = {
    ...server,
    origin,
    configuration: "{}",
    secretKey,
    clockOffsetSec: 0,
    keepsCookies: true,
    enqueueToken: null,
    sent: [],
  };
  return site;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const token = url.searchParams.get("queueittoken") ?? "";
    const target = url.href.replace(/([?&])(queueittoken=[^&]*&?)/i, "$1").replace(/[?&]$/, "");
    const { Utils } = connector as unknown as { Utils: { getCurrentTime: () => number } };
    const usual = Utils.getCurrentTime;
    Utils.getCurrentTime = () => usual() + site.clockOffsetSec;
    try {
      const validated = connector.KnownUser.validateRequestByIntegrationConfig(
        target,
        token,
        site.configuration,
        customerId,
        site.secretKey,
        contextOf(request, response),
      );
      const result = await validated;
      response.setHeader("Cache-Control", "no-store");
      if (result.doRedirect()) {
        const to = plain(result.redirectUrl);
        site.sent.push(to);
        response.writeHead(302, { Location: to }).end();
      } else if (token !== "" && result.actionType === "Queue") {
        response.writeHead(302, { Location: target }).end();
      } else {
        const { queueId, redirectType, actionType } = result;
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ path: url.pathname + url.search, queueId, redirectType, actionType }));
      }
    } catch (error) {
      response.writeHead(500).end(String(error));
    } finally {
      Utils.getCurrentTime = usual;
    }
  }

  function contextOf(request: IncomingMessage, response: ServerResponse): connector.IConnectorContextProvider {
    return {
      getCryptoProvider: () => ({
        getSha256Hash: (secret, text) => createHmac("sha256", secret).update(text).digest("hex"),
      }),
      getEnqueueTokenProvider: () =>
        site.enqueueToken === null ? null : { getEnqueueToken: () => site.enqueueToken ?? "" },
      getHttpRequest: () => ({
        getUserAgent: () => request.headers["user-agent"] ?? "",
        getHeader: (name) => String(request.headers[name.toLowerCase()] ?? ""),
        getAbsoluteUri: () => new URL(request.url ?? "/", origin).href,
        getUserHostAddress: () => request.socket.remoteAddress ?? "",
        getCookieValue: (name) => cookieOf(request, name),
        getRequestBodyAsString: () => "",
      }),
      getHttpResponse: () => ({
        setCookie(name, value, _domain, expiration, isHttpOnly) {
          if (!site.keepsCookies) return;
          const expires = expiration === 0 ? "" : `; Expires=${new Date(expiration * 1_000).toUTCString()}`;
          const others = response.getHeader("Set-Cookie");
          const cookie = `${name}=${encodeURIComponent(value)}; Path=/${expires}${isHttpOnly ? "; HttpOnly" : ""}`;
          response.setHeader("Set-Cookie", [...(Array.isArray(others) ? others : []), cookie]);
        },
      }),
    };
  }
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const found = headers.cookie?.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1));
}
