/**
 * Every script: its Lua, and how its reply is read. Keys and arguments are those that the Lua names; see script-texts.ts.
 */
import type { LogTexts } from "../../core/admission-log.ts";
import type { ClaimAnswer } from "../../core/claim.ts";
import type { AdmissionRecord } from "../../core/ports/lists.ts";
import { readLogRow, reportAdmission, reportClaim, reportVoid } from "../../core/ports/reports.ts";
import type {
  AuditRow,
  DocumentReplacement,
  EndedLogin,
  EntryBlocksPage,
  JoinRange,
  KeyedRange,
  KeyPage,
  LogPage,
  MovedPlace,
  OpenStatistics,
  PushSubscriptionAnswer,
  SharedDocument,
  StepAnswer,
  TakenPushes,
} from "../contract/room-store.ts";
import type { CountedAnswer, ProcessRow } from "../contract/shared.ts";
import {
  type Reply,
  readAdmission,
  readAnswer,
  readList,
  readOutcome,
  readRecord,
  readTick,
  readVoid,
  type ScriptOutcome,
  type StoredVoiding,
} from "./replies.ts";

export interface ScriptSpec<R> {
  /** Of its file in `lua/`, if it has one. */
  readonly name: string;
  /** What it runs where it has no file. */
  readonly lua?: string;
  /** It is run for whoever has the store: it writes nothing of an installation. */
  readonly isForAnybody?: boolean;
  /** Keys that it is given, though it does not name them. */
  readonly keys?: readonly string[];
  read(reply: Reply): R;
}

function script<R>(name: string, read: (reply: Reply) => R): ScriptSpec<R> {
  return { name, read };
}

type Times = ReturnType<typeof readAnswer>["times"];

/**
 * An operation on a room that is a function of the core: see `operate` in lua/lib/enter.lua.
 *
 * @param run the call, of the members of `request`
 */
function operation<A, T>(
  name: string,
  run: string,
  read: (answer: A, times: Times) => T,
): ScriptSpec<ScriptOutcome<T>> {
  const lua = `return operate(function() return ${run} end)`;
  return { ...operationInFile(name, read), lua };
}

function operationInFile<A, T>(name: string, read: (answer: A, times: Times) => T): ScriptSpec<ScriptOutcome<T>> {
  return script(name, (reply) =>
    readOutcome(reply, () => {
      const { answer, times } = readAnswer<A>(reply);
      return read(answer, times);
    }),
  );
}

const nothing = () => undefined;
const asAnswered = <T>(answer: T) => answer;

function readRange<Range extends JoinRange>(range: Range): Range {
  return { ...range, refusal: range.refusal ?? null, voided: readList(range.voided) };
}

const roomScripts = {
  join: operation("join", "join(request.count, request.rows)", (range: JoinRange | null) => range && readRange(range)),
  joinKeys: operation(
    "join-keys",
    "join_keys(request)",
    (range: KeyedRange | null) => range && { ...readRange(range), places: readList(range.places) },
  ),
  listKeys: operation("list-keys", "list_keys(request.after, request.limit)", ({ edition, keys }: KeyPage) => {
    return { edition, keys: readList(keys) };
  }),
  claim: operationInFile("claim", (answers: readonly ClaimAnswer[], times) =>
    answers.map((answer) =>
      reportClaim(answer.record === undefined ? answer : { ...answer, record: readRecord(answer.record) }, times),
    ),
  ),
  leave: operation("leave", "leave(request)", nothing),
  move: operation("move", "move(request)", asAnswered<MovedPlace | null>),
  endAdmission: operation("end-admission", "end_admission(request.sub, request.why)", readAdmission),
  renewAdmission: operation("renew-admission", "renew_admission(request.sub)", readAdmission),
  recordVisit: operation("record-visit", "record_visit(request.sub)", readAdmission),
  takeLogin: operation("take-login", "take_login(request.sub, request.login)", readAdmission),
  takeEndedLogins: operation(
    "take-ended-logins",
    "take_ended_logins(request.notified, request.limit)",
    (taken: EndedLogin[]) => readList(taken),
  ),
  keepPush: operation("keep-push", "keep_push(request)", asAnswered<PushSubscriptionAnswer>),
  dropPush: operation("drop-push", "forget_push(request.sub)", nothing),
  takePushes: operation("take-pushes", "take_pushes(request)", ({ taken, undrawn, stored }: TakenPushes) => ({
    taken: readList(taken),
    undrawn: readList(undrawn),
    stored,
  })),
  reportHealth: operation("report-health", "report_health(request.latencyMs)", nothing),
  reportLoad: operation("report-load", "report_load(request)", nothing),
  commitDraw: operation("commit-draw", "commit_draw(request)", nothing),
  fixDraw: operation("fix-draw", "fix_draw(request)", asAnswered<boolean>),
  voidEntries: operation("void-entries", "void_entries(request)", (answer: StoredVoiding) =>
    reportVoid(answer, readVoid),
  ),
  restoreEntries: operation("restore-entries", "restore_entries(request)", (answer: StoredVoiding) =>
    reportVoid(answer, readVoid),
  ),
  entryBlocks: script("entry-blocks", (reply): EntryBlocksPage => {
    const [edition, draw, first, queued] = [reply.number(0), reply.number(1), reply.number(2), reply.number(3)];
    return { edition, draw, first, queued, rows: reply.text(4) };
  }),
  changeSettings: operation(
    "change-settings",
    "change_settings(request.live, request.effective, request.expectedVersion)",
    asAnswered<{ version: number } | null>,
  ),
  adminStep: operation(
    "admin-step",
    "admin_step(request.step, request.requestId, request.text)",
    asAnswered<StepAnswer | { conflict: true }>,
  ),
  repeatedStep: operation(
    "repeated-step",
    "repeated_step(request.requestId, request.text)",
    asAnswered<StepAnswer | { conflict: true } | null>,
  ),
  tick: script("tick", (reply) => readOutcome(reply, readTick)),
  applyTransitions: script("apply-transitions", nothing),
  followMove: script("follow-move", (reply) => reply.text(0) === "followed"),
  contribute: script("contribute", (reply) => ({ incarnation: reply.text(0), remainingMs: reply.number(1) })),
  admissions: script("admissions", (reply) => {
    const { times } = readAnswer<true>(reply);
    return reply
      .texts()
      .slice(5)
      .map((json) => readAdmission(json === "" ? null : (JSON.parse(json) as AdmissionRecord), times));
  }),
  listAdmissions: script("list-admissions", (reply) => {
    const { answer, times } = readAnswer<AdmissionRecord[]>(reply);
    const admissions = readList(answer).map((record) => reportAdmission(readRecord(record), times));
    return { admissions, cursor: reply.text(5) === "" ? null : reply.number(5) };
  }),
  recordStatistics: operation("record-statistics", "record_statistics(request.report)", nothing),
  openStatistics: script("open-statistics", (reply): OpenStatistics => readAnswer<OpenStatistics>(reply).answer),
  readLog: script("read-log", (reply): LogPage => {
    const { rows, ...page } = readAnswer<LogTexts>(reply).answer;
    return { ...page, rows: readList(rows).map(({ seq, text }) => readLogRow(seq, text)) };
  }),
  moveLogMark: script("move-log-mark", (reply) => readAnswer<boolean>(reply).answer),
};

/** `send`: the store needs the text of what the caller remembers; nothing was answered. */
type ExchangeReply = SharedDocument | "unchanged" | "send" | null;

const documentScripts = {
  exchangeDocument: script("exchange-document", (reply): ExchangeReply => {
    const result = reply.text(0);
    if (result === "none") return null;
    if (result === "unchanged" || result === "send") return result;
    return { version: reply.number(1), text: reply.text(2) };
  }),
  replaceDocument: script("replace-document", (reply): DocumentReplacement => {
    const result = reply.text(0);
    if (result === "ok") return { result, version: reply.number(1) };
    if (result === "settling") return { result, remainingMs: reply.number(1) };
    return { result: "conflict" };
  }),
};

const auditScripts = {
  appendAudit: script("append-audit", (reply) => reply.text(0) === "appended"),
  readAudit: script("read-audit", (reply): AuditRow[] => {
    const rows = reply.list(0);
    return rows.lists().map((row) => ({
      seq: row.number(0),
      hash: row.text(1),
      text: row.text(2),
      before: { seq: row.number(3), hash: row.text(4) },
    }));
  }),
};

const processScripts = {
  reportProcess: script("report-process", (reply) => {
    const fields = reply.list(2).texts();
    const processes = Array.from({ length: fields.length / 3 }, (_, index): ProcessRow => {
      const [id = "", ms, text = ""] = fields.slice(3 * index);
      return { id, reportedMs: Number(ms), text };
    });
    return { nowMs: reply.number(0), info: reply.text(1), processes };
  }),
};

interface FoundRecord {
  readonly payload: string;
  readonly consumed: string;
  readonly by: string;
  /** By the server's clock; 0 where the record is bound to no run. */
  readonly writtenMs: number;
  /** The last loss that its writer knew of; 0 for none. */
  readonly lostMs: number;
}

/** A record that is bound to another run of a server than the one that answers: that run, what this server says of itself, and the record's age. */
export interface OfOtherRun {
  readonly ofRun: string;
  readonly info: string;
  readonly ageMs: number;
}

const readOtherRun = (reply: Reply): OfOtherRun => ({
  ofRun: reply.text(1),
  info: reply.text(2),
  ageMs: reply.number(3),
});

const oidcScripts = {
  upsertRecord: script("upsert-record", nothing),
  findRecord: script("find-record", (reply): FoundRecord | OfOtherRun =>
    reply.text(0) === "found"
      ? {
          payload: reply.text(1),
          consumed: reply.text(2),
          by: reply.text(3),
          writtenMs: Number(reply.text(4)),
          lostMs: Number(reply.text(5)),
        }
      : readOtherRun(reply),
  ),
  consumeRecord: script("consume-record", (reply): { leftMs: number | null } | OfOtherRun => {
    if (reply.text(0) === "elsewhere") return readOtherRun(reply);
    return { leftMs: reply.text(0) === "consumed" ? reply.number(1) : null };
  }),
  destroyRecord: script("destroy-record", (reply) => reply.number(0)),
  markUsed: script("mark-used", nothing),
};

export const scripts = {
  ...roomScripts,
  ...documentScripts,
  ...auditScripts,
  ...processScripts,
  ...oidcScripts,
  countJoins: script("count-joins", (reply): CountedAnswer[] =>
    reply.lists().map((answer) => {
      const [granted = 0, ...levelsMs] = answer.texts().map(Number);
      return { granted, levelsMs };
    }),
  ),
  exchangeWatchers: script("exchange-watchers", (reply) => reply.texts()),
  nameInstallation: {
    ...script("name-installation", (reply) => {
      const words = (index: number) => reply.text(index).split(" ").filter(Boolean);
      const installation = { issuers: words(1), ticketKeys: words(2) };
      const name = { sinceMs: reply.number(3), taken: reply.number(4), seenMs: reply.number(5) };
      return { result: reply.text(0), installation, ...name };
    }),
    isForAnybody: true,
  },
  agreeOnKeys: script("agree-on-keys", (reply) => JSON.parse(reply.text(0)) as Record<string, string>),
  checkServer: {
    ...script("check-server", (reply) => ({ nowMs: reply.number(0), info: reply.text(1) })),
    // A Cluster runs it where this key is.
    keys: ["fingerprints"],
    isForAnybody: true,
  },
};
