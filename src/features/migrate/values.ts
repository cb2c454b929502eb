/** What is read of an export, of which nothing has been checked, and what becomes of it in a configuration. */
import { formatDuration } from "../../config/index.ts";
import { exact, type KeyLine, type Line, leftOut, nearly } from "./document.ts";
import type { Members } from "./input.ts";

/** Members that are not read in the end are reported: an export may say what this version of Usher has not heard of. */
export interface MemberReader {
  readonly take: (name: string) => unknown;
  /** A text that is not empty; null for anything else, which is reported with those that nobody has read. */
  readonly text: (name: string) => string | null;
  /** A whole number, also in digits; null likewise. */
  readonly whole: (name: string) => number | null;
  readonly flag: (name: string) => boolean | null;
  /** Those that nobody has read or could read, unless they say nothing. */
  readonly unread: () => Line[];
}

const unreadMax = 20;

export function readMembers(members: Members): MemberReader {
  const [read, unreadable] = [new Set<string>(), new Set<string>()];
  const take = (name: string): unknown => {
    read.add(name);
    return Object.hasOwn(members, name) ? members[name] : undefined;
  };
  const typed = <Value>(name: string, read: (value: unknown) => Value | null): Value | null => {
    const value = take(name);
    const result = read(value);
    if (result === null && !isNothing(value)) unreadable.add(name);
    return result;
  };
  return {
    take,
    text: (name) => typed(name, textOf),
    whole: (name) => typed(name, wholeOf),
    flag: (name) => typed(name, flagOf),
    unread() {
      const names = Object.keys(members).filter((name) => !read.has(name) && !isNothing(members[name]));
      const listed = names.slice(0, unreadMax).map((name) => leftOut(name, "an attribute that Usher does not know"));
      const wrong = [...unreadable].map((name) => leftOut(name, "its value cannot be read"));
      return names.length > unreadMax
        ? [...wrong, ...listed, leftOut(`${names.length - unreadMax} more`, "attributes that Usher does not know")]
        : [...wrong, ...listed];
    },
  };
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

export function wholeOf(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

export function flagOf(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" || !/^(?:true|false)$/i.test(value)) return null;
  return value.toLowerCase() === "true";
}

export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Makes ids that are there once: the second of the same name has `-2` at its end. */
export function createNames(lengthMax: number, usual: string) {
  const taken = new Set<string>();
  return (name: string): string => {
    const clean = name
      .slice(0, 4 * lengthMax)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, "-")
      .replace(/^-+/, "")
      .slice(0, lengthMax)
      .replace(/-+$/, "");
    const base = clean === "" ? usual : clean;
    let id = base;
    for (let at = 2; taken.has(id); at++) id = `${base.slice(0, lengthMax - 1 - String(at).length)}-${at}`;
    taken.add(id);
    return id;
  };
}

/** A title as the configuration takes it; null for none. */
export function titleOf(text: string | null): string | null {
  const title = text?.replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim() ?? "";
  return title === ""
    ? null
    : Array.from(title.slice(0, 200))
        .filter((each) => !/\p{Cs}/u.test(each))
        .join("")
        .trim();
}

/**
 * A duration within bounds: what it was, or the nearest that there is.
 *
 * @param was its name there, with its value in `unitMs`; null where it is not given, and the usual one counts
 */
export function durationLine(
  key: string,
  was: { readonly name: string; readonly value: number | null; readonly unitMs: number; readonly usual: number },
  [minMs, maxMs]: readonly [number, number],
): KeyLine {
  const { name, value, unitMs, usual } = was;
  const wantedMs = (value ?? usual) * unitMs;
  const ms = Math.min(maxMs, Math.max(minMs, wantedMs));
  const about = value === null ? `${name}, which is ${usual} where nothing is given` : `${name} ${value}`;
  const note =
    ms === wantedMs ? exact(about) : nearly(`${about}; here ${formatDuration(minMs)} to ${formatDuration(maxMs)}`);
  return { key, value: formatDuration(ms), note };
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const hostShape = new RegExp(`^${label}(?:\\.${label})+$`);

/** A host as browsers send it, in lower case; null for what is none, and for names without a domain. */
export function hostOf(value: unknown): string | null {
  const host = textOf(value)?.trim().toLowerCase() ?? "";
  if (host.length > 253 || !hostShape.test(host)) return null;
  return URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).host === host ? host : null;
}

const step = /^[\w\-.~!$&'()*+,=:@]+$/;

/** A path as all servers read it, without a slash at its end; null for any other. */
export function pathOf(value: unknown): string | null {
  const path = textOf(value) ?? "/";
  if (path.length > 1_000 || !path.startsWith("/")) return null;
  const steps = path.replace(/\/$/, "").split("/").slice(1);
  return steps.every((each) => step.test(each) && !/^\.{1,2}$/.test(each)) ? path.replace(/\/$/, "") : null;
}
