import { createHash } from "node:crypto";
import type { IDToken } from "openid-client";
import type { RoomFigures } from "./operator.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2433; --soft: #5b6478; --page: #f3f5fa; --card: #fff; --line: #dde2ec; --accent: #2455d6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9edf6; --soft: #a3adc2; --page: #11151e; --card: #1a2030; --line: #2e374b; --accent: #8fb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: .5rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .4rem .5rem .4rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { width: 9.5rem; font-weight: 600; }
small { color: var(--soft); }
a { color: var(--accent); }
.actions { margin-top: 1.5rem; }
form.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
button { padding: .6rem 1rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--card); font: inherit; cursor: pointer; }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** Nothing but the one style above, and the form of the line's page; no scripts, no pictures, no frames. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const LINE_REFRESH_SEC = 2;

const TIME_CLAIMS = new Set(["iat", "exp", "auth_time", "admitted_at"]);

export function welcomePage(claims: IDToken): string {
  const position = claims.queue_position;
  const place = typeof position === "number" ? `You were number <strong>${position}</strong> in line.` : "";
  const rows = Object.entries(claims).map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${describeClaim(name, value)}</td></tr>`,
  );
  return page(
    "You are in",
    `<p>This is the protected site. ${place} The waiting room vouched for you with a signed ID token.</p>
<h2>What the verified ID token says</h2>
<table>${rows.join("\n")}</table>
<p class="actions"><a href="/logout">Log out</a> <small>and give up your admission</small></p>`,
  );
}

export function linePage({ phase, serving, queued, waiting }: RoomFigures, token: string): string {
  const rows = Object.entries({
    Phase: phase,
    "Places taken": queued,
    "May enter up to": serving,
    Waiting: waiting,
  }).map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(String(value))}</td></tr>`);
  return page(
    "The line",
    `<table>${rows.join("\n")}</table>
<form class="actions" method="post"><input type="hidden" name="token" value="${token}">
<button name="count" value="1">Let the next visitor in</button>
<button name="count" value="10">Let the next ten in</button></form>`,
    `<meta http-equiv="refresh" content="${LINE_REFRESH_SEC}">\n`,
  );
}

export function goodbyePage(): string {
  return page("You have left", `<p>You are logged out, and your visit has ended.</p>${link("Line up again")}`);
}

/** @param explanation plain text */
export function troublePage(title: string, explanation: string): string {
  return page(title, `<p>${escapeHtml(explanation)}</p>${link("Try again")}`);
}

function link(text: string): string {
  return `<p class="actions"><a href="/">${text}</a></p>`;
}

function page(title: string, content: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title} · Demonstration site</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

function describeClaim(name: string, value: unknown): string {
  const text = escapeHtml(typeof value === "string" ? value : JSON.stringify(value));
  if (!TIME_CLAIMS.has(name) || typeof value !== "number") return text;
  return `${text} <small>${new Date(value * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC")}</small>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
