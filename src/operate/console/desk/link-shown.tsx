import { qrCode } from "../../../web/pages/shared/qr-code.ts";
import { useConsole } from "../frame/console.ts";
import { CopyField } from "../parts/elements.tsx";
import { leftInWords, type TimedLink } from "./made-link.ts";
import { texts } from "./texts.ts";

interface LinkToCopyProps {
  readonly link: TimedLink;
  readonly hasCode?: boolean;
}

/** A link to hand on, as long as it works. */
export function LinkToCopy({ link: { url, endsMs }, hasCode = false }: LinkToCopyProps) {
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
