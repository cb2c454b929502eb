/**
 * A double of a provider of challenges, over HTTP: `siteverify` by the contract that Turnstile, hCaptcha and reCAPTCHA have
 * (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/), and a script that shows a button. An answer is
 * right once, as with the real ones.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const challengeSecret = "secret-of-the-challenge";

export interface ChallengeProvider {
  readonly url: string;
  /** Forms that were posted, oldest first. */
  readonly asked: URLSearchParams[];
  /** How it behaves from now on. */
  behave(answer: Behaviour): void;
  close(): Promise<void>;
}

type Behaviour = "usual" | ((response: ServerResponse) => void);

/** As the widgets of providers: fills the element, and calls the page by the name that stands there. */
const widget = `
  const box = document.querySelector(".challenge");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "I am a person";
  button.addEventListener("click", () => window[box.dataset.callback]("right-" + box.dataset.sitekey + "-" + Math.random()));
  box.append(button);
`;

export async function startChallengeProvider(hostname = "localhost"): Promise<ChallengeProvider> {
  let behaviour: Behaviour = "usual";
  const asked: URLSearchParams[] = [];
  const taken = new Set<string>();
  const server = createServer((request, response) => {
    if (request.url === "/widget.js") response.writeHead(200, { "content-type": "text/javascript" }).end(widget);
    else void verify(request, response);
  });

  async function verify(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    asked.push(form);
    if (behaviour !== "usual") return behaviour(response);
    const given = form.get("response") ?? "";
    const codes: string[] = [];
    if (form.get("secret") !== challengeSecret) codes.push("invalid-input-secret");
    else if (!given.startsWith("right-")) codes.push("invalid-input-response");
    else if (taken.has(given)) codes.push("timeout-or-duplicate");
    taken.add(given);
    const success = codes.length === 0;
    const answer = {
      success,
      "error-codes": codes,
      ...(success && { hostname, challenge_ts: "2027-01-01T00:00:00Z" }),
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
