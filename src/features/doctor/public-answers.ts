/** Asks an issuer, as its clients do, for what parts of the configuration say that it answers to everybody. */
import type { PublicAnswer } from "../../config/index.ts";
import { type Finding, fault, ok } from "../../lib/finding.ts";
import { placeOf, redirectOf } from "../../lib/openid/login-request.ts";
import { type Answer, ask } from "./ask.ts";

/** Requests under way: a home has hundreds of addresses. */
const atOnce = 8;

interface Looked {
  readonly about: string;
  readonly url: string;
  /** What is wrong, and the way out; null for nothing. */
  readonly wrong: string | null;
}

/** One finding for all that is well with a part, and one for each thing that is wrong. */
export async function checkPublicAnswers(issuer: string, answers: readonly PublicAnswer[]): Promise<Finding[]> {
  const looked: Looked[] = [];
  for (let at = 0; at < answers.length; at += atOnce) {
    const some = answers.slice(at, at + atOnce).map((answer) => look(`${issuer}${answer.target}`, answer));
    looked.push(...(await Promise.all(some)));
  }
  return distinct(looked.map(({ about }) => about)).flatMap((about) => {
    const ofPart = looked.filter((each) => each.about === about);
    return distinct(ofPart.map(({ wrong }) => wrong)).map((wrong) => {
      const where = inWords(ofPart.filter((each) => each.wrong === wrong));
      return wrong === null
        ? ok(about, `Clients get what they expect at ${where}.`)
        : fault(about, `Clients do not get what they expect at ${where}: ${wrong}.`);
    });
  });
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function inWords([first, ...others]: readonly Looked[]): string {
  return others.length === 0 ? String(first?.url) : `${first?.url} (and at ${others.length} more)`;
}

async function look(url: string, expected: PublicAnswer): Promise<Looked> {
  const answer = await ask(url, expected.headers === undefined ? {} : { headers: expected.headers });
  return { about: expected.about, url, wrong: whatIsWrong(url, expected, answer) };
}

function whatIsWrong(url: string, { status, findFault }: PublicAnswer, answer: Answer | string): string | null {
  if (typeof answer === "string") return `nothing answers (${answer}). Let the proxy lead this path to Usher`;
  if (answer.status === status) return findFault({ url, ...answer });
  const found = `it answers ${answer.status}`;
  const to = redirectOf(answer.status, answer.headers.get("location"), url);
  if (to !== null) return `it redirects to ${placeOf(to.href)}. Let the proxy lead this path to Usher itself`;
  if (answer.status === 421)
    return `${found}. Let the proxy send the header Host on (nginx: proxy_set_header Host $host)`;
  if (!isUshers(answer)) return `${found}, and not as Usher does. Let the proxy lead this path to Usher`;
  if (answer.status >= 500) return `${found}. See what /readyz and the log of the gateway say`;
  if (answer.status < 300 && status >= 400)
    return `${found}, where it has to refuse. Let the proxy add no key of its own, and cache nothing there`;
  return `${found}. Let the proxy pass path and query on as they are, and start all gateways with this configuration`;
}

/** Whether it has what all answers of Usher have, and no page of a proxy or a site. */
function isUshers({ headers }: Answer): boolean {
  return headers.has("x-request-id") || /\bdefault-src 'none'/.test(headers.get("content-security-policy") ?? "");
}
