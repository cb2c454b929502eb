import type { Speech, TextKey } from "../../texts/texts.ts";

const acts: Readonly<Record<string, TextKey>> = {
  "PATCH /rooms/:room": "timeline.settings",
  "POST /rooms/:room/pause": "step.pause",
  "POST /rooms/:room/resume": "step.resume",
  "POST /rooms/:room/open": "step.open",
  "POST /rooms/:room/prequeue": "step.prequeue",
  "POST /rooms/:room/idle": "step.idle",
  "POST /rooms/:room/end": "step.end",
  "POST /rooms/:room/passthrough": "step.passthrough",
  "POST /rooms/:room/reset": "step.reset",
  "POST /rooms/:room/serving": "call",
  "PUT /rooms/:room/stock": "stock",
  "POST /rooms/:room/bypass": "bypass",
  "POST /rooms/:room/approvals/:approval/approve": "approval.approve",
  "DELETE /rooms/:room/approvals/:approval": "approval.decline",
  "POST /audit/:row/undo": "undone",
};

/** What a request of the audit did; one without words of its own by its method and route. */
export function actInWords({ method, route }: { method: string; route: string }, speech: Speech): string {
  const key = acts[`${method} ${route}`];
  return key === undefined ? `${method} ${route}` : speech.text(key);
}

const lengthMax = 80;

/** `inlet.outflow_per_minute 600 → 660`, of the members that changed. */
export function changesInWords(changes: readonly { member: string; from?: unknown; to?: unknown }[]): string {
  return changes.map(({ member, from, to }) => `${nameOf(member)} ${short(from)} → ${short(to)}`).join("; ");
}

/** Members are JSON pointers (RFC 6901). */
function nameOf(pointer: string): string {
  return pointer
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"))
    .join(".");
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined || value === null ? "–" : JSON.stringify(value);
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
