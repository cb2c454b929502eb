import { useEffect, useRef, useState } from "preact/hooks";
import { take } from "../../../operate/console/api/api.ts";
import { useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { ProblemNote } from "../../../operate/console/parts/elements.tsx";
import { reportHtml } from "../shared/html.ts";
import { type ReadLog, readLog } from "./read-log.ts";
import { ReportFigures } from "./report-figures.tsx";
import { texts } from "./texts.ts";

/** The report of the sale, and the check of the log that it is made of: both are computed here, of every row. */
export function LogPart({ room }: { readonly room: string }) {
  const { api, speech } = useConsole();
  const submission = useSubmission();
  const [progress, setProgress] = useState({ rows: 0, of: 0 });
  const [read, setRead] = useState<ReadLog | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const begin = async () => {
    const ending = new AbortController();
    stop.current = ending;
    setRead(null);
    const found = await submission.submit(async () => {
      const head = await take(api.ask.GET("/admin/rooms/{room}/log/head", { params: { path: { room } } }));
      const heads = head.sealed === null ? [] : [head.sealed];
      return readLog(room, heads, ending.signal, (rows) => setProgress({ rows, of: head.rows }));
    });
    setRead(found);
  };
  const { rows, of } = progress;
  const report = read?.report ?? null;
  return (
    <section class="control" aria-labelledby="report-title">
      <h2 id="report-title">{speech.text(texts.report.title)}</h2>
      <p>{speech.text(texts.report.what)}</p>
      <div class="row">
        <button type="button" disabled={submission.isBusy} onClick={() => void begin()}>
          {speech.text(texts.report.create)}
        </button>
        {submission.isBusy && (
          <button type="button" class="quiet" onClick={() => stop.current?.abort()}>
            {speech.text(frameTexts.cancel)}
          </button>
        )}
      </div>
      {submission.isBusy && (
        <p>
          <progress max={Math.max(1, of)} value={Math.min(rows, of)} aria-label={speech.text(texts.report.create)} />{" "}
          {speech.text(texts.report.progress, { rows, of })}
        </p>
      )}
      {submission.problem && <ProblemNote problem={submission.problem} speech={speech} />}
      {read && <Chain read={read} />}
      {report && (
        <>
          <ReportFigures report={report} />
          <button type="button" onClick={() => save(reportHtml(report), `report-${room}.html`)}>
            {speech.text(texts.report.save)}
          </button>
        </>
      )}
    </section>
  );
}

function Chain({ read: { verification, report } }: { readonly read: ReadLog }) {
  const { speech } = useConsole();
  const { fault, rows, missing, heads, base } = verification;
  const isWhole = fault === null && heads.every(({ result }) => result !== "differs");
  return (
    <div role="status">
      <p class={isWhole ? "chain-holds" : "problem"}>
        <strong>{speech.text(isWhole ? texts.chain.intact : texts.chain.broken)}</strong>{" "}
        {speech.text(texts.chain.rows, { n: rows })}
      </p>
      {fault && <p dir="auto">{speech.text(texts.chain.fault, { line: fault.line, why: fault.reason })}</p>}
      {isWhole && heads.some(({ result }) => result === "matches") && <p>{speech.text(texts.chain.head)}</p>}
      {base !== null && base.seq > 0 && <p>{speech.text(texts.chain.before, { n: base.seq })}</p>}
      {missing.length > 0 && <p>{speech.text(texts.chain.missing, { n: missing.length })}</p>}
      {report === null && <p>{speech.text(texts.report.none)}</p>}
    </div>
  );
}

/** Hands the browser a file that was made here. */
function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
