/**
 * Serves every page in every state with made-up data, and a room status that a test can move. For the
 * browser tests of the pages, without a gateway behind them.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { paceJson, type WaitingRoom } from "../../src/room/index.ts";
import { fixedPart, writePaceAnswer } from "../../src/room/public-status/pace.ts";
import type { DrawJson, RoomStatus, StockJson } from "../../src/room/public-status/status.ts";
import type { RoomState } from "../../src/store/contract/room-store.ts";
import {
  type Accept,
  createPages,
  type Notice,
  type Pages,
  type RenderedPage,
  type WaitingView,
} from "../../src/web/pages/index.ts";
import { statusMessage } from "../../src/web/pages/render/status-json.ts";
import { sampleEntries } from "../../src/web/pages/samples/draws.ts";
import { type Sample, samples } from "../../src/web/pages/samples/index.ts";
import { wayIn } from "../../src/web/pages/samples/sample.ts";
import { compileBrowserScripts, viewsDir } from "./browser-scripts.ts";

/** The made-up room. Change it, and the next page or status shows the change. */
export interface GalleryRoom {
  title: string;
  phase: RoomState["phase"];
  state: WaitingView["state"];
  pausedReason: string | null;
  /** Whether the store is there, as the status says. */
  availability: WaitingRoom["availability"];
  position: number;
  serving: number;
  /** The visitor's entry number; null for one who is in no draw. */
  entry: number | null;
  /** What the status says of the draw. */
  drawStage: NonNullable<Notice["draw"]>["stage"];
  /** How many take part in it. */
  entries: number;
  /** When it is held, in milliseconds since the epoch. */
  dueAtMs: number | null;
  /** Whether this server knows the place: another may be ahead of it. */
  knowsPlace: boolean;
  /** Whether the waiting page comes with numbers. */
  isKnown: boolean;
  edition: number;
  /** The edition that the visitor's ticket is of. */
  ticketEdition: number;
  gaps: [number, number][];
  pace: NonNullable<WaitingView["pace"]>;
  heldBy: WaitingView["heldBy"];
  /** How many ready visitors enter first. */
  rank: number;
  /** From now. */
  opensInMs: number | null;
  /** For which nobody enters yet, after a loss in the store; null for none. */
  holdMs: number | null;
  stock: StockJson | null;
  /** The revision of what visitors may read, as the status says; "" for nothing. */
  whileWaiting: string;
  showsPeople: boolean;
  message: WaitingView["message"];
  poll: WaitingView["poll"];
  /** Whether the status names a revision, so that pages ask for what moves alone. */
  tellsPace: boolean;
  /** What /status answers; "hang" never answers. */
  statusCode: number | "hang";
  /** How old the numbers are. */
  ageMs: number;
  retryMs: number;
  /** What a claim answers, and whether a refusal has the room's words. */
  claimCode: number;
  saysWhy: boolean;
  /** What is answered to what a visitor's browser has proved. */
  proofCode: number;
  /** Whether the server acts on what the status says; otherwise it shows the waiting page again. */
  admits: boolean;
  /** Answers what scripts ask of a path in place of the room, as a portal does, or a proxy. */
  inFront: { readonly of: RegExp; readonly answer: (response: ServerResponse) => void } | null;
}

export interface Gallery {
  readonly url: string;
  readonly room: GalleryRoom;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
  /** Back to the start. */
  reset(): void;
  close(): Promise<void>;
}

const start: GalleryRoom = {
  title: "Autumn tour tickets",
  phase: "open",
  state: "waiting",
  pausedReason: null,
  availability: "ready",
  position: 5_000,
  serving: 4_588,
  entry: null,
  drawStage: "committed",
  entries: sampleEntries,
  dueAtMs: null,
  knowsPlace: true,
  isKnown: true,
  edition: 1,
  ticketEdition: 1,
  gaps: [],
  pace: {
    steps: [],
    placesPerMinute: 100,
    spread: 0.1,
    spreadUp: 0.1,
    showRate: 1,
    called: 0,
    extraSec: 0,
    note: null,
  },
  heldBy: null,
  rank: 0,
  opensInMs: null,
  holdMs: null,
  stock: null,
  whileWaiting: "",
  showsPeople: false,
  message: null,
  poll: { floor_ms: 150, ceiling_ms: 300, divisor: 10, spread_ms: 500 },
  statusCode: 200,
  tellsPace: false,
  ageMs: 0,
  retryMs: 600,
  claimCode: 200,
  saysWhy: true,
  proofCode: 503,
  admits: true,
  inFront: null,
};

/** Where a notice leads is its own address here, and whoever watches its room is not spread out for long. */
function noticeHere(notice: Notice): Notice {
  const { watch, action } = notice;
  return {
    ...notice,
    ...(watch !== undefined && { watch: { ...watch, spreadMs: 500 } }),
    ...(action?.kind === "link" && action.href === wayIn && { action: { ...action, href: "" } }),
  };
}

/** Made anew for each request: what opens, opens so long after it. */
function noticeOf(name: string): Notice | undefined {
  const nowMs = Date.now();
  if (name === "not_open_soon") return { ...noticeOf("not_open"), code: "not_open", opensAtMs: nowMs + 1_500, nowMs };
  const sample = samples(nowMs).find(({ id }) => id === name);
  return sample?.kind === "notice" ? noticeHere(sample.notice) : undefined;
}

/** The operator's words in one language or none. */
export function words(
  text: string,
  severity: NonNullable<WaitingView["message"]>["severity"] = "information",
): NonNullable<WaitingView["message"]> {
  return { severity, texts: [{ language: null, text }] };
}

export async function startPageGallery(): Promise<Gallery> {
  const pages = createPages({ viewsDir, browserDir: compileBrowserScripts() });
  const room = { ...start };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    if (room.inFront?.of.test(path)) room.inFront.answer(response);
    else answer(pages, room, path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    room,
    requests,
    reset() {
      Object.assign(room, start);
      requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(
  pages: Pages,
  room: GalleryRoom,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const accept = {
    gzip: request.headers["accept-encoding"]?.includes("gzip") ?? false,
    language: request.headers["accept-language"],
    chosen: /\busher\.language=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1],
    here: path,
  };
  const notice = path.startsWith("/notice/") ? noticeOf(path.replace("/notice/", "")) : undefined;
  const sample = sampleAt(path);
  if (path === "/language") {
    void chooseLanguage(request, response);
  } else if (path.startsWith("/rooms/tickets/status?") && sample !== undefined) {
    sendJson(response, sample.status);
  } else if (path.startsWith("/rooms/tickets/draw?") && sample?.kind === "notice" && sample.record !== undefined) {
    sendJson(response, sample.record);
  } else if (path === "/rooms/tickets/draw/checker.js") {
    response.writeHead(200, { "content-type": "text/javascript" }).end(pages.script("draw-checker").plain);
  } else if (path.startsWith("/assets/")) {
    const part = pages.assetFile(path.slice("/assets/".length).replace(/\?.*/, ""));
    response.writeHead(part === undefined ? 404 : 200, { "content-type": part?.type ?? "text/plain" }).end(part?.plain);
  } else if (path === "/rooms/tickets/tickets/me") {
    sendJson(response, placeJson(room));
  } else if (path === "/rooms/tickets/check" || path === "/rooms/tickets/device") {
    response.writeHead(room.proofCode).end();
  } else if (path === "/rooms/tickets/move/state") {
    sendJson(response, { moved: false, state: "waiting" });
  } else if (path.startsWith("/rooms/tickets/status")) {
    sendStatus(room, response, (status) => status);
  } else if (path === "/rooms/tickets/pace") {
    sendStatus(room, response, (status) => writePaceAnswer(status as RoomStatus, status.revision ?? ""));
  } else if (sample !== undefined) {
    send(response, renderSample(pages, sample, accept));
  } else if (notice !== undefined) {
    const isOfTheRoom = notice.watch !== undefined || notice.values?.room !== undefined;
    send(response, pages.notice(isOfTheRoom ? { ...notice, message: room.message } : notice, accept));
  } else if (path === "/rooms/tickets/leave") {
    send(response, pages.notice({ code: "left" }, accept));
  } else if (path === "/rooms/tickets/tickets/me/claim") {
    const heldBy = room.state === "held" ? (room.heldBy ?? "limit") : null;
    response.statusCode = room.claimCode;
    response.setHeader("content-type", "application/json");
    if (room.claimCode >= 400) {
      response.end(JSON.stringify(room.saysWhy ? { error: "refused", error_description: "A refusal." } : {}));
      return;
    }
    const state = heldBy === null ? "admitted" : "served";
    response.end(JSON.stringify({ state, poll_after_ms: room.retryMs, held_by: heldBy, ahead: room.rank }));
  } else if (path.startsWith("/authorize")) {
    const isServed = room.phase === "open" && room.serving >= room.position;
    if (room.phase === "ended" && room.admits) {
      send(response, pages.notice(noticeOf("ended") ?? { code: "ended" }, accept));
    } else if (room.phase === "idle") {
      send(response, pages.notice(noticeOf("not_open") ?? { code: "not_open" }, accept));
    } else if ((room.phase === "passthrough" || isServed) && room.state === "waiting" && room.admits) {
      response.writeHead(303, { location: "/site" }).end();
    } else {
      send(response, pages.waiting(waitingView(room), figures(room), accept));
    }
  } else if (path === "/site") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><html lang=en><title>The shop</title><h1>The shop</h1>");
  } else {
    response.statusCode = 404;
    send(response, pages.notice({ code: "not_found" }, accept));
  }
}

/** The sample that an address names: of its page, or of its room's status. */
function sampleAt(path: string): Sample | undefined {
  const [, name] = /^\/(?:sample\/|rooms\/tickets\/(?:status|draw)\?sample=)(\w+)$/.exec(path) ?? [];
  return name === undefined ? undefined : samples(Date.now()).find(({ id }) => id === name);
}

/** With a status that goes with it, and stays. */
function renderSample(pages: Pages, sample: Sample, accept: Accept): RenderedPage {
  const statusUrl = `/rooms/tickets/status?sample=${sample.id}`;
  if (sample.kind === "waiting") return pages.waiting({ ...sample.view, statusUrl }, sample.visitor, accept);
  const { watch, draw, ...notice } = sample.notice;
  const ofDraw = draw && { draw: { ...draw, recordUrl: `/rooms/tickets/draw?sample=${sample.id}` } };
  return pages.notice({ ...notice, ...ofDraw, ...(watch && { watch: { ...watch, statusUrl } }) }, accept);
}

async function chooseLanguage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await request.toArray()).join(""));
  const headers = {
    location: form.get("return") ?? "/",
    "set-cookie": `usher.language=${form.get("language")}; Path=/`,
  };
  response.writeHead(303, headers).end();
}

function send(response: ServerResponse, page: RenderedPage): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-language", page.language);
  response.setHeader("content-security-policy", page.contentSecurityPolicy);
  if (page.contentEncoding !== undefined) response.setHeader("content-encoding", page.contentEncoding);
  response.end(page.body);
}

function drawOf({ entry, drawStage }: GalleryRoom): WaitingView["draw"] {
  if (entry === null) return null;
  return drawStage === "drawn" ? "drawn" : "undrawn";
}

function stateOf(room: GalleryRoom): WaitingView["state"] {
  if (room.phase === "paused") return room.pausedReason === "sold_out" ? "sold_out" : "paused";
  if (room.phase === "prequeue") return "entered";
  return drawOf(room) === "undrawn" ? "drawing" : room.state;
}

/** Of GET …/status. */
function drawJson({ entry, drawStage: stage, entries, dueAtMs }: GalleryRoom): DrawJson | null {
  if (entry === null) return null;
  const due_at = dueAtMs === null ? null : new Date(dueAtMs).toISOString();
  return { voids: 0, id: 1, stage, entries: stage === "cancelled" ? null : entries, due_at };
}

/** GET …/tickets/me. */
function placeJson(room: GalleryRoom) {
  const { entry, position } = room;
  // Without a draw the number is the place.
  if (room.drawStage === "cancelled") return { state: "waiting", position: entry, entry: null, entries: null };
  const isEntered = drawOf(room) === "undrawn" || !room.knowsPlace;
  const entries = isEntered || entry === null ? null : room.entries;
  return { state: isEntered ? "entered" : "waiting", position: isEntered ? entry : position, entry, entries };
}

function waitingView(room: GalleryRoom): WaitingView {
  return {
    room: { id: "tickets", title: room.title },
    state: stateOf(room),
    heldBy: room.heldBy ?? (room.state === "held" ? "limit" : null),
    isBehind: room.state === "held" && room.rank > 0,
    pace: room.isKnown ? room.pace : null,
    opensAtMs: room.opensInMs === null ? null : Date.now() + room.opensInMs,
    pausedReason: room.pausedReason,
    serving: room.isKnown ? room.serving : null,
    message: room.message,
    showsPeople: room.showsPeople,
    updatedAtMs: room.isKnown ? Date.now() - room.ageMs : null,
    poll: room.poll,
    statusUrl: "/rooms/tickets/status",
    leaveUrl: "/rooms/tickets/leave",
    draw: drawOf(room),
    ...(drawOf(room) === "undrawn" && { drawToCome: drawJson(room) ?? undefined }),
    drawUrl: "/rooms/tickets/draw",
    claimUrl: "/rooms/tickets/tickets/me/claim",
    claimWithinMs: 900_000,
    recoveryLeftMs: room.holdMs ?? 0,
    ...(room.stock !== null && { stock: room.stock }),
  };
}

function figures(room: GalleryRoom) {
  const isHeld = room.state === "held" && room.serving >= room.position;
  const ahead = isHeld ? room.rank : Math.max(0, room.position - (room.isKnown ? room.serving : 0) - 1);
  const { placesPerMinute, spread, extraSec } = room.pace;
  const seconds = ((ahead + 1) * 60) / (placesPerMinute ?? 1) + extraSec;
  const isTold = room.phase === "open" && room.state !== "store_away" && placesPerMinute !== null;
  const estimate = isTold ? { lowSec: seconds * (1 - spread), highSec: seconds * (1 + spread) } : null;
  const retryMs = room.state === "held" ? room.retryMs : null;
  const { position, entry, ticketEdition: edition } = room;
  const isUndrawn = drawOf(room) === "undrawn";
  const entries = entry === null || isUndrawn ? null : room.entries;
  return { position: isUndrawn ? (entry ?? 0) : position, entry, entries, ahead, estimate, retryMs, edition };
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

/** @param answer what is told of it */
function sendStatus(room: GalleryRoom, response: ServerResponse, answer: (status: RoomStatus) => unknown): void {
  if (room.statusCode === "hang") return;
  response.setHeader("content-type", "application/json");
  response.statusCode = room.statusCode;
  if (room.statusCode !== 200) {
    response.end(JSON.stringify({ error: "internal_error", error_description: "made up" }));
    return;
  }
  response.setHeader("cache-control", "public, max-age=0");
  const status = statusJson(room);
  const revision = createHash("sha256")
    .update(JSON.stringify(fixedPart(status)))
    .digest("hex");
  response.end(JSON.stringify(answer(room.tellsPace ? { ...status, revision } : status)));
}

function statusJson(room: GalleryRoom): RoomStatus {
  const status = {
    room: "tickets",
    title: room.title,
    phase: room.phase,
    phase_reason: room.pausedReason,
    availability: room.availability,
    serving: room.serving,
    queued: 6_000,
    waiting: 6_000 - room.serving,
    gaps: room.gaps,
    draw: drawJson(room),
    pace: paceJson(room.pace),
    held_until: room.holdMs === null ? null : new Date(Date.now() + room.holdMs).toISOString(),
    stock: room.stock,
    prequeue_at: null,
    opens_at: room.opensInMs === null ? null : new Date(Date.now() + room.opensInMs).toISOString(),
    ends_at: null,
    while_waiting: room.whileWaiting,
    ...statusMessage(room.message),
    poll: room.poll,
    updated_at: new Date(Date.now() - room.ageMs).toISOString(),
    edition: room.edition,
  };
  return { ...status, gaps: status.gaps as RoomStatus["gaps"], presence_share: 0 };
}
