/** RFC 9700: where a browser is sent, and what it is told. test/e2e/bad-input/authorize.test.ts has more of the first. */
import { expect, test } from "vitest";
import { redirectUri, type World } from "../world.ts";
import { createParty, errorIn } from "./party.ts";

const own = redirectUri("closed");
const host = new URL(own).host;

/** Registered is `https://closed.example.test/callback`, and that to the letter (RFC 9700 §4.1.3). */
const variations = {
  "by http": own.replace("https:", "http:"),
  "at another port": `https://${host}:8443/callback`,
  "with the default port spelled out": `https://${host}:443/callback`,
  "with a slash at the end": `${own}/`,
  "with a fragment": `${own}#code`,
  "with an empty query": `${own}?`,
  "with a letter encoded": own.replace("callback", "c%61llback"),
  "encoded twice": encodeURIComponent(own),
  "with a path in capitals": own.replace("callback", "Callback"),
  "with a slash doubled": own.replace("/callback", "//callback"),
  "with a dot at the end of the host": own.replace(host, `${host}.`),
  "as the user of another host": `https://${host}%2Fcallback@evil.example/`,
  "as a user of the own host": `https://evil.example@${host}/callback`,
  "as the start of another host": `https://${host}.evil.example/callback`,
  "as the path of another host": `https://evil.example/${own}`,
  "in the query of another host": `https://evil.example/?${own}`,
  "with a backslash": `https://${host}\\@evil.example/callback`,
  "with a line break": `${own}\r\nLocation: https://evil.example/`,
  "with a space before it": ` ${own}`,
  "with a null byte": `${own}\0.evil.example`,
  "without a scheme": own.replace("https:", ""),
  "as a path": "/callback",
  "as data": "data:text/html,<script>alert(1)</script>",
};

export function describeRedirects(world: () => World): void {
  test.each(Object.entries(variations))(
    "RFC 9700 4.1.3: the redirect URI %s is another, and gets a page",
    async (_, redirect_uri) => {
      const party = createParty(world(), "closed");
      for (const mode of ["query", "form_post"]) {
        const page = await party.ask(party.start({ redirect_uri, response_mode: mode, prompt: "none" }));
        expect([page.status, page.location, page.notice]).toEqual([400, undefined, "request_refused"]);
        expect(page.body).not.toContain("evil.example");
      }
    },
  );

  test("RFC 9700 4.12: the browser is sent on with 303, whatever it came with", async () => {
    const party = createParty(world(), "op");
    const done = await party.ask(party.start());
    expect([done.status, done.location?.searchParams.has("code")]).toEqual([303, true]);
    const closed = createParty(world(), "closed");
    const refused = await closed.ask(closed.start({ scope: "", nonce: null }));
    expect([refused.status, refused.location?.searchParams.has("error")]).toEqual([303, true]);
    const posted = await world().http.request(`${world().issuer}/authorize`, {
      method: "POST",
      body: closed.start().url.searchParams,
    });
    expect(posted.status).toBe(303);
  });

  test("RFC 9700 4.16 and 4.2: no page is framed, kept, or told on by the Referer header", async () => {
    const op = createParty(world(), "op");
    const closed = createParty(world(), "closed");
    const pages = [
      await closed.ask(closed.start({ redirect_uri: "https://evil.example/" })),
      await op.ask(op.start()),
      await op.ask(op.start({ response_mode: "form_post" })),
      (await op.enter()).page,
    ];
    for (const page of pages) {
      expect(page.header("cache-control")).toContain("no-store");
      expect(page.header("x-frame-options")).toBe("DENY");
      expect(page.header("content-security-policy")).toMatch(/frame-ancestors 'none'/);
      expect(page.header("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)$/);
    }
  });

  test("RFC 9700 2.6: no script of another site reads what the authorization endpoint answers", async () => {
    const { url } = createParty(world(), "closed").start({ prompt: "none" });
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await world().http.request(url, { method, headers: { origin: "https://evil.example" } });
      expect(answer.header("access-control-allow-origin")).toBeUndefined();
    }
  });

  test.each(["code token", "token", "id_token", "code id_token", "none"])(
    "RFC 9700 2.1.2: the response type %s is refused, and no token comes by the browser",
    async (response_type) => {
      const party = createParty(world(), "closed");
      const login = party.start({ response_type, response_mode: "fragment" });
      const page = await party.ask(login);
      const answer = new URLSearchParams(page.location?.hash.slice(1));
      expect(answer.get("error")).toBe("unsupported_response_type");
      expect([answer.has("access_token"), answer.has("id_token"), answer.has("code")]).toEqual([false, false, false]);
    },
  );

  test("RFC 6749 3.1: a parameter without a value counts as left out", async () => {
    const party = createParty(world(), "closed");
    const login = party.start({ response_type: "" });
    expect(errorIn(await party.ask(login), login, world())).toBe("invalid_request");
  });
}
