import { useState } from "preact/hooks";
import { qrCode } from "../../../web/pages/shared/qr-code.ts";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import { CopyField, LineForm } from "../parts/elements.tsx";
import { texts as roomTexts } from "../room/texts.ts";
import type { ToolProps } from "../room/tools/tool-props.ts";
import { texts } from "./texts.ts";

/** Makes a link that lets one person in ahead of the line. It is shown here alone, and never again. */
export function BypassControl({ room, actions }: Pick<ToolProps, "room" | "actions">) {
  const { api, speech } = useConsole();
  const [written, setWritten] = useState("");
  const [link, setLink] = useState<TimedLink | null>(null);
  const note = written.trim();

  const make = () =>
    actions.carryOut(speech.text(roomTexts.done.bypass), async () => {
      const body = note === "" ? {} : { note };
      const sent = api.ask.POST("/admin/rooms/{room}/bypass", { params: { path: { room } }, body });
      setLink(await linkOf(sent));
      setWritten("");
      return { requestIds: [] };
    });

  return (
    <>
      <LineForm
        id="control-bypass"
        label={speech.text(texts.bypass.note)}
        go={speech.text(texts.bypass.create)}
        hint={speech.text(texts.bypass.hint)}
        value={written}
        mayGo={!actions.isBusy}
        field={{ dir: "auto", maxLength: 200 }}
        onWritten={setWritten}
        onGo={() => void make()}
      />
      {link && <LinkToCopy key={link.url} link={link} hasCode />}
    </>
  );
}

/** A link to hand on, as long as it works. */
export function LinkToCopy({
  link: { url, endsMs },
  hasCode = false,
}: {
  readonly link: TimedLink;
  readonly hasCode?: boolean;
}) {
  const { elapsedMs, speech } = useConsole();
  const leftMs = endsMs - elapsedMs;
  if (leftMs <= 0) return <p role="status">{speech.text(texts.link.ended)}</p>;

  return (
    <div class="link">
      <CopyField label={speech.text(texts.link.title)} value={url} />
      <p>{speech.text(texts.link.timeLeft, { time: leftInWords(leftMs) })}</p>
      {hasCode && <Code url={url} />}
    </div>
  );
}

function Code({ url }: { readonly url: string }) {
  const { speech } = useConsole();
  const { size, path } = qrCode(url);
  return (
    <svg
      class="code"
      role="img"
      aria-label={speech.text(texts.link.qrCode)}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path stroke="#000" d={path} />
    </svg>
  );
}

/** A link that works for some time. */
export interface TimedLink {
  readonly url: string;
  /** By `performance.now()`. */
  readonly endsMs: number;
}

type Answering = Promise<{
  data?: { readonly url: string; readonly expires_at: string };
  error?: unknown;
  response: Response;
}>;

/** @throws ProblemError */
export async function linkOf(sent: Answering): Promise<TimedLink> {
  const { url, expires_at: expiresAt } = await take(sent);
  const { response } = await sent;
  return { url, endsMs: performance.now() + leftMsOf(expiresAt, response.headers.get("Date"), Date.now()) };
}

/**
 * For how long a link works.
 *
 * @param date the gateway's time (an HTTP `Date`) @param nowMs this computer's, for an answer without
 */
export function leftMsOf(expiresAt: string, date: string | null, nowMs: number): number {
  const theirMs = Date.parse(date ?? "");
  return Date.parse(expiresAt) - (Number.isNaN(theirMs) ? nowMs : theirMs);
}

/** `2:05`, rounded down to whole seconds. */
export function leftInWords(leftMs: number): string {
  const sec = Math.floor(leftMs / 1_000);
  return `${Math.floor(sec / 60)}:${String(sec % 60).padStart(2, "0")}`;
}
