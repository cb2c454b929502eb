import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { type Choice, readChoice, renderChosen, renderShell, renderWindow } from "./choice.ts";
import type { Scenery, SceneryOptions } from "./scenery.ts";

const bodyLengthMax = 10_000;

const shellPolicy = [
  "default-src 'none'",
  ...["style-src", "script-src", "connect-src", "frame-src", "form-action"].map((name) => `${name} 'self'`),
  ...["img-src data:", "base-uri 'none'", "frame-ancestors 'self'"],
].join("; ");

export function createRoutes(scenery: Scenery, { clock, packageDir }: Pick<SceneryOptions, "clock" | "packageDir">) {
  const viewsDir = join(packageDir, "views");
  const files: Readonly<Record<string, readonly [type: string, path: string]>> = {
    "/preview.css": ["text/css", join(viewsDir, "preview", "preview.css")],
    "/preview.js": ["text/javascript", join(packageDir, "dist", "browser", "preview.js")],
  };
  /** By server-sent events. */
  const windows = new Set<ServerResponse>();
  const tellWindow = (window: ServerResponse) => window.write(`event: revision\ndata: ${scenery.revision}\n\n`);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const here = new URL(request.url ?? "/", "http://localhost");
    const { pathname: path, searchParams: query } = here;
    const [type, file] = files[path] ?? [];
    const nowMs = clock.now();
    const chosen = (from = query): Choice => readChoice(from, scenery.scene, nowMs);

    if (!isLocalHost(request)) send(response, 421, "text/plain", "This preview is for its own computer alone.\n");
    else if (type !== undefined && file !== undefined) send(response, 200, type, await readFile(file));
    else if (path === "/") sendShell(response, renderWindow(scenery, chosen(), nowMs, viewsDir));
    else if (path === "/events") openWindow(response);
    // What a page would do by itself, it has done: another page of the visitor's would come now.
    else if (path === "/page" && isOfItself(request, here)) response.writeHead(204).end();
    else if (path === "/page") sendPage(response, chosen());
    else if (/^\/rooms\/[^/]+\/status$/.test(path)) sendJson(response, chosen().sample.status);
    else if (/^\/rooms\/[^/]+\/draw$/.test(path) && request.headers.accept === "application/json") {
      const { sample } = chosen(pageBehind(request));
      sendJson(response, (sample.kind === "notice" ? sample.record : undefined) ?? {});
    } else if (path.endsWith("/draw/checker.js")) {
      response.setHeader("Content-Security-Policy", "default-src 'none'");
      send(response, 200, "text/javascript", scenery.scene.pages.script("draw-checker").plain);
    } else if (path.startsWith("/assets/")) sendPart(response, path);
    else if (path.endsWith("/tickets/me/claim")) sendJson(response, waitingStatus(chosen(pageBehind(request))));
    else if (/\/while-waiting(\/part)?$/.test(path)) {
      sendReading(response, chosen(pageBehind(request)), path.endsWith("/part") ? "part" : "page");
    } else if (path.endsWith("/move/state")) sendJson(response, { moved: false, state: "waiting" });
    // The page goes on with its work.
    else if (path.endsWith("/check") || path.endsWith("/device")) response.writeHead(503).end();
    else if (path === "/language" && method === "POST") await chooseLanguage(request, response);
    else {
      const requested = path === "/elsewhere" ? (query.get("to") ?? "") : `${method} ${path}`;
      // In the frame, in place of what a visitor would go on to.
      sendShell(
        response,
        renderShell(viewsDir, "word.ejs", { asked: requested, back: `/page?${pageBehind(request)}` }),
      );
    }
  }

  function sendPart(response: ServerResponse, path: string): void {
    const part = scenery.scene.pages.assetFile(path.slice("/assets/".length));
    send(response, part === undefined ? 404 : 200, part?.type ?? "text/plain", part?.plain ?? "");
  }

  /** What visitors may read while they wait: for the page's script, and behind its link. */
  function sendReading(response: ServerResponse, { sample, look, language }: Choice, kind: "page" | "part"): void {
    const words = sample.kind === "waiting" ? (sample.view.whileWaiting?.words ?? null) : null;
    if (words === null) {
      send(response, 404, "text/plain", "");
      return;
    }
    const header = { words, room: look.room.title, isRehearsal: look.isRehearsal === true, theme: look.theme };
    const page = scenery.scene.pages.whileWaiting(header, language)[kind];
    response.setHeader("Content-Security-Policy", page.contentSecurityPolicy);
    send(response, 200, "text/html", page.plain);
  }

  function sendPage(response: ServerResponse, choice: Choice): void {
    const page = renderChosen(scenery.scene, choice);
    response.setHeader("Content-Security-Policy", page.contentSecurityPolicy);
    response.setHeader("Content-Language", page.language);
    response.setHeader("Referrer-Policy", "same-origin");
    send(response, 200, "text/html", page.body);
  }

  /** The first event says what is true already. */
  function openWindow(response: ServerResponse): void {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 500\n\n");
    tellWindow(response);
    windows.add(response);
    response.once("close", () => windows.delete(response));
  }

  return {
    answer: (request: IncomingMessage, response: ServerResponse) => {
      answer(request, response).catch((error: unknown) => {
        // The report on a template that cannot be rendered, for its author.
        if (!response.headersSent) send(response, 500, "text/plain", String(error));
      });
    },
    /** Lets open windows know that there is something else to show. */
    tellWindows: () => windows.forEach(tellWindow),
  };
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
}

function sendShell(response: ServerResponse, html: string): void {
  response.setHeader("Content-Security-Policy", shellPolicy);
  send(response, 200, "text/html", html);
}

function sendJson(response: ServerResponse, body: object): void {
  send(response, 200, "application/json", JSON.stringify(body));
}

/** A held page stays held, by the same limit. */
function waitingStatus({ sample }: Choice): object {
  const { heldBy = null } = sample.kind === "waiting" ? sample.view : {};
  const ahead = sample.kind === "waiting" ? sample.visitor.ahead : 0;
  return { state: "served", held_by: heldBy ?? "limit", ahead, poll_after_ms: 10_000 };
}

/** No other site may read it by a name that leads here. */
function isLocalHost({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? "");
}

/** A page that asks for itself anew, without anybody having pressed anything. */
function isOfItself({ headers }: IncomingMessage, { search }: URL): boolean {
  return headers["sec-fetch-user"] === undefined && pageAt(headers.referer)?.search === search;
}

function pageAt(referer = ""): URL | undefined {
  const url = URL.canParse(referer) ? new URL(referer) : undefined;
  return url?.pathname === "/page" ? url : undefined;
}

/** What the page shows that the request comes from. */
function pageBehind({ headers }: IncomingMessage): URLSearchParams {
  return pageAt(headers.referer)?.searchParams ?? new URLSearchParams();
}

/** The chooser at the foot of the page: the same page in the other language. */
async function chooseLanguage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
    if (body.length > bodyLengthMax) break;
  }
  const query = pageBehind(request);
  query.set("language", new URLSearchParams(body).get("language") ?? "");
  response.writeHead(303, { Location: `/page?${query}` }).end();
}
