const KINDS = ["unit", "contract", "e2e", "browser", "fault"];

export const USAGE = `npm test [-- NAMES… OPTIONS…]          the quick tests; with names, those whose path contains one
npm run test:long [-- NAMES… OPTIONS…] those that take long (*.long.test.ts), in today's order
npm run test:all [-- OPTIONS…]         all

  --seed N      the order of another day, for the long ones
  --minutes N   begin no more of the long ones after so many minutes
  --list        print what would run, the long ones with what makes them long; run nothing
  --project K   of one kind alone: ${KINDS.join(", ")}; may be repeated
  -t PATTERN    tests whose name matches; other options of vitest with their values behind an equals sign`;

const MS_PER_DAY = 86_400_000;

/**
 * @returns which tests are wanted, and vitest's own options
 * @throws RangeError for what cannot be read; its message is for the terminal
 */
export function readTestOptions(args, nowMs = Date.now()) {
  const seed = Math.floor(nowMs / MS_PER_DAY);
  const options = { tier: "quick", names: [], kinds: [], seed, minutes: null, list: false, isHelp: false, vitest: [] };
  for (let i = 0; i < args.length; i++) {
    const [name, inline] = args[i].split("=", 2);
    const value = () => inline ?? args[++i] ?? "";
    if (name === "--long" || name === "--all") options.tier = name.slice(2);
    else if (name === "--seed") options.seed = wholeNumber(name, value());
    else if (name === "--minutes") options.minutes = wholeNumber(name, value());
    else if (name === "--list") options.list = true;
    else if (name === "--project") options.kinds.push(kind(value()));
    else if (name === "-t") options.vitest.push("-t", value());
    else if (name === "--help" || name === "-h") options.isHelp = true;
    else if (name.startsWith("-")) options.vitest.push(args[i]);
    else options.names.push(args[i]);
  }
  if (options.minutes !== null && options.tier === "quick") throw new RangeError("--minutes is for the long tests");
  return options;
}

function wholeNumber(name, text) {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${name} takes a whole number, and not "${text}"`);
  return Number(text);
}

function kind(text) {
  if (!KINDS.includes(text)) throw new RangeError(`--project takes one of ${KINDS.join(", ")}, and not "${text}"`);
  return text;
}
