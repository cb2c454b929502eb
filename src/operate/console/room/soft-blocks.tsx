import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import { texts as chartsTexts } from "../charts/texts.ts";
import { useConsole } from "../frame/console.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { texts } from "./texts.ts";

const everyMs = 15_000;
const reasons = ["rate", "entries", "network"] as const;
const ofChecks = ["asked", "slowed", "passed", "failed"] as const;

/**
 * Whom the process that answers refused a place lately, by network and reason, and what came of checks where it asked for some. Nothing where it did
 * neither.
 */
export function SoftBlocks({ room }: { readonly room: string }) {
  const { api, speech } = useConsole();
  const send = () => take(api.ask.GET("/admin/rooms/{room}/soft-blocks", { params: { path: { room } } }));
  const { answer, problem } = useRequest(send, { of: [room], everyMs });
  if (problem !== null) return <ProblemNote problem={problem} speech={speech} />;
  if (answer === null) return null;
  const { joined, refused, checked, networks } = answer;
  const checks = ofChecks.filter(() => ofChecks.some((count) => checked[count] > 0));
  if (checks.length === 0 && reasons.every((reason) => refused[reason] === 0)) return null;
  return (
    <section class="charts soft-blocks" aria-labelledby="soft-blocks-title">
      <h2 id="soft-blocks-title">{speech.text(texts.softBlocks.title)}</h2>
      <p class="marks">{speech.text(texts.softBlocks.hint, { time: speech.time(Date.parse(answer.since), 0) })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="table" tabIndex={0} aria-label={speech.text(texts.softBlocks.network)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{speech.text(texts.softBlocks.network)}</th>
              {reasons.map((reason) => (
                <th scope="col" key={reason}>
                  {speech.text(chartsTexts.refusals[reason])}
                </th>
              ))}
              {checks.map((count) => (
                <th scope="col" key={count}>
                  {speech.text(texts.softBlocks.checks[count])}
                </th>
              ))}
              <th scope="col">{speech.text(texts.softBlocks.rule)}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{speech.text(texts.softBlocks.all, { n: joined })}</th>
              {reasons.map((reason) => (
                <td key={reason}>{speech.number(refused[reason])}</td>
              ))}
              {checks.map((count) => (
                <td key={count}>{speech.number(checked[count])}</td>
              ))}
              <td>–</td>
            </tr>
            {networks.map((network) => (
              <tr key={network.range}>
                <th scope="row">
                  <code>{network.range}</code>
                </th>
                {reasons.map((reason) => (
                  <td key={reason}>{speech.number(network.refused[reason])}</td>
                ))}
                {checks.map((count) => (
                  <td key={count}>{speech.number(network.checked[count])}</td>
                ))}
                <td>{network.rule ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
