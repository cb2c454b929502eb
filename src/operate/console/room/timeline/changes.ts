import { settingName, valueInLine } from "../../settings/names.ts";
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
  "POST /rooms/:room/draw/voids": "entries.void_title",
  "DELETE /rooms/:room/draw/voids/:reference": "done.restore",
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

interface MemberChange {
  readonly member: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** `Admissions a minute 600 → 660`, of the members that changed: a setting by its name, else by its path. */
export function changesInWords(changes: readonly MemberChange[], speech: Speech): string {
  return changes
    .filter(({ from, to }) => (from ?? null) !== null || (to ?? null) !== null)
    .map(({ member, from, to }) => {
      const path = pathOf(member);
      const short = (value: unknown) => shortened(valueInLine(path, value, speech));
      return `${settingName(path, speech) ?? path} ${short(from)} → ${short(to)}`;
    })
    .join("; ");
}

/** Members are JSON pointers (RFC 6901). */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"))
    .join(".");
}

function shortened(text: string): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
