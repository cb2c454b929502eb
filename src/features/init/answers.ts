import { type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import { type Answers, hasOwnRedirect, isStartParty, PARTY_STARTS, START_PARTIES } from "./configuration.ts";

/** As commander reads them. */
export interface InitOptions {
  readonly issuer?: string;
  readonly relyingParty?: string;
  readonly site?: string;
  readonly redirectUri?: string;
  readonly room?: string;
  readonly rate?: string;
  readonly store?: string;
  readonly adminPort: string;
  readonly out: string;
  readonly replace?: true;
}

interface Question {
  readonly flag: string;
  readonly text: string;
  readonly usual?: string;
  readonly isRight: (answer: string) => boolean;
  /** What is said of an answer that is not right. */
  readonly expected: string;
}

const parties = START_PARTIES.map((name) => `  ${name.padEnd(14)}${PARTY_STARTS[name].about}`).join("\n");

const questions = {
  issuer: {
    flag: "--issuer",
    text: "Public address of Usher, such as https://queue.example.com",
    isRight: isOrigin,
    expected: "an address without a path, such as https://queue.example.com",
  },
  relyingParty: {
    flag: "--relying-party",
    text: `What stands before your site, or is it:\n${parties}\nIts name`,
    usual: "nginx",
    isRight: isStartParty,
    expected: `one of ${START_PARTIES.join(", ")}; for others see docs/relying-parties/README.md`,
  },
  site: {
    flag: "--site",
    text: "Address of the site that is protected, such as https://shop.example.com",
    isRight: isOrigin,
    expected: "an address without a path, such as https://shop.example.com",
  },
  room: {
    flag: "--room",
    text: "Id of the room: a-z, 0-9 and hyphen",
    usual: "tickets",
    isRight: (text) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(text),
    expected: "1 to 32 characters of a-z, 0-9 and hyphen, and no hyphen at the beginning",
  },
  rate: {
    flag: "--rate",
    text: "Visitors who may enter in a minute",
    usual: "60",
    isRight: (text) => /^[1-9]\d{0,6}$/.test(text),
    expected: "a whole number of visitors in a minute, at least 1",
  },
  store: {
    flag: "--store",
    text: "Store: memory (one process, for a try) or redis",
    usual: "memory",
    isRight: (text) => text === "memory" || text === "redis",
    expected: "memory or redis",
  },
} as const satisfies Readonly<Record<string, Question>>;
type QuestionName = keyof typeof questions;

const redirectQuestion: Question = {
  flag: "--redirect-uri",
  text: "Redirect URI, the address at the user pool's domain, such as https://login.shop.example.com/oauth2/idpresponse",
  isRight: (text) => URL.canParse(text),
  expected: "an address, such as https://login.shop.example.com/oauth2/idpresponse",
};

/** How often a person is asked the same. */
const triesMax = 3;

/**
 * The options, and what the person at the terminal answers where one is absent; an answer that is not right is asked for again. Where
 * nobody is, those with a usual value have it.
 *
 * @throws UsageError with all that is missing or wrong
 */
export async function readAnswers(
  options: InitOptions,
  ask: Terminal["ask"],
  isInContainer: boolean,
): Promise<Answers> {
  const faults: string[] = [];
  const values: Partial<Record<QuestionName, string>> = {};
  for (const name of Object.keys(questions) as QuestionName[]) {
    values[name] = await answerTo(questions[name], options[name], ask, faults);
  }
  const { issuer = "", relyingParty = "", site = "", room = "", rate = "", store = "" } = values;
  if (!/^[1-9]\d{0,4}$/.test(options.adminPort)) faults.push("--admin-port: expected a port, 1 to 65535");
  const redirectUri = isStartParty(relyingParty)
    ? hasOwnRedirect(relyingParty)
      ? await answerTo(redirectQuestion, options.redirectUri, ask, faults)
      : (options.redirectUri ?? site + (PARTY_STARTS[relyingParty].callbackPath ?? ""))
    : "";
  if (faults.length > 0 || !isStartParty(relyingParty) || (store !== "memory" && store !== "redis"))
    throw new UsageError([...faults, "Nothing was written."].join("\n"));
  const [ratePerMinute, adminPort] = [Number(rate), Number(options.adminPort)];
  return { issuer, party: relyingParty, site, redirectUri, room, ratePerMinute, store, adminPort, isInContainer };
}

/** Empty, with a fault that says so, where there is none. */
async function answerTo(
  { flag, text, usual = "", isRight, expected }: Question,
  option: string | undefined,
  ask: Terminal["ask"],
  faults: string[],
): Promise<string> {
  const prompt = `${text}${usual === "" ? "" : ` [${usual}]`}: `;
  let value = option ?? (ask === null ? "" : (await ask(prompt)).trim());
  for (let tries = 1; option === undefined && ask !== null && tries < triesMax; tries++) {
    if (isRight(value || usual)) break;
    value = (await ask(`${value === "" ? "That is needed" : `Expected ${expected}`}.\n${prompt}`)).trim();
  }
  value ||= usual;
  if (value === "") faults.push(`${flag} is missing: ${text}`);
  else if (!isRight(value)) faults.push(`${flag}: expected ${expected}`);
  return value;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
