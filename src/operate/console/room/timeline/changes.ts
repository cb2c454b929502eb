import { texts as deskTexts } from "../../desk/texts.ts";
import type { Localized, Speech } from "../../frame/speech.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { settingName, valueInLine } from "../../settings/names.ts";
import { texts as entriesTexts } from "../entries-texts.ts";
import { texts as roomTexts } from "../texts.ts";
import { texts } from "./texts.ts";

const acts: Readonly<Record<string, Localized>> = {
  "PATCH /rooms/:room": texts.settings,
  "POST /rooms/:room/pause": roomTexts.steps.pause,
  "POST /rooms/:room/resume": roomTexts.steps.resume,
  "POST /rooms/:room/open": roomTexts.steps.open,
  "POST /rooms/:room/prequeue": roomTexts.steps.prequeue,
  "POST /rooms/:room/idle": roomTexts.steps.idle,
  "POST /rooms/:room/end": roomTexts.steps.end,
  "POST /rooms/:room/passthrough": roomTexts.steps.passthrough,
  "POST /rooms/:room/reset": roomTexts.steps.reset,
  "POST /rooms/:room/serving": roomTexts.call.title,
  "PUT /rooms/:room/stock": roomTexts.stock.title,
  "POST /rooms/:room/draw/voids": entriesTexts.voidTitle,
  "DELETE /rooms/:room/draw/voids/:reference": entriesTexts.restoreDone,
  "POST /rooms/:room/bypass": deskTexts.bypass.title,
  "POST /rooms/:room/approvals/:approval/approve": roomTexts.approvals.approve,
  "DELETE /rooms/:room/approvals/:approval": roomTexts.approvals.decline,
  "POST /audit/:row/undo": frameTexts.undone,
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
