/** Puts a client's secret where a snippet only names it. */
import { CommandError } from "../terminal.ts";

/** What names it: a variable of the program or of Terraform, a line that stands for it, or a file. */
const PLACES: readonly (readonly [RegExp, (secret: string) => string])[] = [
  [/process\.env\.SHOP_CLIENT_SECRET|os\.environ\["SHOP_CLIENT_SECRET"\]/g, quoted],
  [/os\.Getenv\("SHOP_CLIENT_SECRET"\)|ENV\["SHOP_CLIENT_SECRET"\]/g, quoted],
  [/\$\{SHOP_CLIENT_SECRET\}/g, (secret) => secret],
  [/var\.usher_client_secret/g, quoted],
  [/"the client's secret"|["']the secret of the client["']/g, quoted],
  [/client_secret_file = ".*"/g, (secret) => `client_secret = ${quoted(secret)}`],
  [/(?<=, )the secret$/gm, (secret) => secret],
];

/** In quotes of any of these languages, or bare, each of these is read as it is. */
const PLAIN = /^[\w.~/+=-]+$/;

/** @throws CommandError, which does not repeat the secret */
export function withSecret(text: string, secret: string, comment: string | null): string {
  if (!PLAIN.test(secret)) {
    throw new CommandError("the secret has characters that not every configuration file takes: write it by hand");
  }
  for (const [place, of] of PLACES) if (text.search(place) >= 0) return text.replace(place, () => of(secret));
  return `${text}${comment ?? "#"} The client's secret: ${secret}\n`;
}

function quoted(secret: string): string {
  return `"${secret}"`;
}
