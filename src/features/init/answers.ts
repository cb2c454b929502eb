import { type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import { type Answers, isStartParty, PARTY_STARTS, START_PARTIES } from "./configuration.ts";

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

const questions = {
  issuer: { flag: "--issuer", text: "Public address of Usher, such as https://queue.example.com" },
  relyingParty: { flag: "--relying-party", text: `What asks Usher for visitors: ${START_PARTIES.join(", ")}` },
  site: { flag: "--site", text: "Address of the site that is protected, such as https://shop.example.com" },
  room: { flag: "--room", text: "Id of the room: a-z, 0-9 and hyphen", usual: "tickets" },
  rate: { flag: "--rate", text: "Visitors who may enter in a minute", usual: "60" },
  store: { flag: "--store", text: "Store: memory (one process, for a try) or redis", usual: "memory" },
} as const;
type Question = keyof typeof questions;

/**
 * The options, and what the person at the terminal answers where one is absent. Where nobody is, those with a usual value
 * have it.
 *
 * @throws UsageError with all that is missing or wrong
 */
export async function readAnswers(options: InitOptions, ask: Terminal["ask"]): Promise<Answers> {
  const values: Partial<Record<Question, string>> = {};
  const faults: string[] = [];
  for (const name of Object.keys(questions) as Question[]) {
    const question: { flag: string; text: string; usual?: string } = questions[name];
    const usual = question.usual ?? "";
    const prompt = `${question.text}${usual === "" ? "" : ` [${usual}]`}: `;
    const value = options[name] ?? (ask === null ? "" : (await ask(prompt)).trim());
    values[name] = value || usual;
    if (values[name] === "") faults.push(`${question.flag} is missing: ${question.text}`);
  }
  const { issuer = "", relyingParty = "", site = "", room = "", rate = "", store = "" } = values;
  if (relyingParty !== "" && !isStartParty(relyingParty))
    faults.push(
      `--relying-party: expected one of ${START_PARTIES.join(", ")}; for others see docs/relying-parties/README.md`,
    );
  if (site !== "" && !isOrigin(site))
    faults.push("--site: expected an address without a path, such as https://shop.example.com");
  if (!/^[1-9]\d{0,6}$/.test(rate)) faults.push("--rate: expected a whole number of visitors in a minute, at least 1");
  if (store !== "memory" && store !== "redis") faults.push("--store: expected memory or redis");
  if (!/^[1-9]\d{0,4}$/.test(options.adminPort)) faults.push("--admin-port: expected a port, 1 to 65535");
  const redirectUri = options.redirectUri ?? (await usualRedirectUri(relyingParty, site, ask));
  if (redirectUri === "" && isStartParty(relyingParty)) faults.push(`--redirect-uri is missing: ${redirectQuestion}`);
  if (faults.length > 0 || !isStartParty(relyingParty) || (store !== "memory" && store !== "redis"))
    throw new UsageError([...faults, "Nothing was written."].join("\n"));
  const [ratePerMinute, adminPort] = [Number(rate), Number(options.adminPort)];
  return { issuer, party: relyingParty, site, redirectUri, room, ratePerMinute, store, adminPort };
}

const redirectQuestion =
  "the address at the user pool's domain, such as https://login.shop.example.com/oauth2/idpresponse";

/** Empty where nobody says. */
async function usualRedirectUri(party: string, site: string, ask: Terminal["ask"]): Promise<string> {
  const path = isStartParty(party) ? PARTY_STARTS[party].callbackPath : "";
  if (path !== null) return site + path;
  return ask === null ? "" : (await ask(`Redirect URI, ${redirectQuestion}: `)).trim();
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
