/** What the templates say that stand in pages: onward.ejs, move.ejs, draw.ejs, check.ejs, device.ejs; and the layout's language chooser. */
import type { DrawDocument, PublishedDraw, PublishedVoid } from "../../../room/draw-recipe/index.ts";
import type { NextSale } from "../../../room/index.ts";
import type { Locale } from "../locales/locale.ts";
import { qrCode } from "../shared/qr-code.ts";
import { fillText, isolate } from "../shared/wording.ts";
import { opensTab, wordsIn } from "../themes/looks.ts";
import type { CheckView, DeviceView, DrawView, MoveOffer, Notice, Onward } from "../types.ts";

/** Where a visitor may go on, and what a calendar may hold. */
export function onwardVariables(
  { links = [], nextSale, calendarUrl, opensAtMs, timeZone }: Onward & Pick<Notice, "opensAtMs" | "timeZone">,
  locale: Locale,
) {
  const { tag, texts } = locale;
  const onward = (url: string, label: NextSale["title"]) => ({
    href: safeHref(url),
    ...wordsIn(label, tag),
    opensTab: opensTab(url),
  });
  const calendar = calendarUrl && {
    href: `${safeHref(calendarUrl)}&language=${encodeURIComponent(tag)}`,
    label: texts.notice.calendar,
  };
  return {
    links: links.map(({ url, label }) => onward(url, label)),
    // An opening comes first.
    next:
      nextSale === undefined || opensAtMs !== undefined
        ? undefined
        : {
            ...onward(nextSale.url, nextSale.title),
            label: texts.notice.next,
            iso: new Date(nextSale.startsAtMs).toISOString(),
            moment: locale.farMoment(nextSale.startsAtMs, timeZone),
          },
    calendar,
  };
}

/** An address that may be linked or posted to: http, https, or local. Anything else (`javascript:` …) becomes the page itself. */
export function safeHref(href: string): string {
  return href === "" || /^(https?:\/\/|\/(?!\/)|\?)/i.test(href) ? href : "";
}

export function moveVariables({ link, stateUrl, leftMs }: MoveOffer, { texts }: Locale) {
  return { link, stateUrl, leftMs, code: qrCode(link), words: texts.move };
}

/** @param solver the file of the worker that does the work */
export function checkVariables({ task, answerUrl, waitMs }: CheckView, solver: string, locale: Locale) {
  const { check: words } = locale.texts;
  const widget = task.type === "challenge" ? task.widget : undefined;
  const ofProvider = (text: string) => fillText(text, { provider: isolate(widget?.name ?? "", locale.dir) });
  return {
    challenge: task.type === "proof_of_work" ? JSON.stringify(task.challenge) : "",
    widget: widget && {
      className: widget.className,
      siteKey: widget.siteKey,
      scriptUrl: widget.scriptUrl,
      text: ofProvider(words.widget),
      unavailable: ofProvider(words.unavailable),
    },
    answerUrl,
    solverUrl: `/assets/${solver}.js`,
    waitText: waitMs === null ? "" : fillText(words.noScriptsWait, { duration: locale.duration(waitMs) }),
    words,
  };
}

export function deviceVariables({ isOptional, ...device }: DeviceView, { texts }: Locale) {
  const { failed, noScripts } = texts.device;
  return { ...device, failed: isOptional ? "" : failed, noScripts: isOptional ? "" : noScripts };
}

/** What a visitor holds of a draw. */
export type VisitorEntry = NonNullable<DrawView["own"]>;

/**
 * The draw that a page shows: the one of the visitor's entry number, else the last that has begun, else the one to come. Null
 * where none was announced.
 */
export function showDraw({ room, draws }: DrawDocument, visitorEntry: VisitorEntry | null): DrawView | null {
  const draw =
    (visitorEntry === null ? undefined : draws.findLast((each) => isIn(each, visitorEntry.entry))) ??
    draws.findLast(({ first }) => first !== null) ??
    draws.at(-1);
  if (draw === undefined) return null;
  const { id, stage, commitment, seed, entries, beacon, voids } = draw;
  return {
    id,
    stage,
    commitment,
    seed,
    entries,
    beacon,
    voids,
    own: visitorEntry !== null && isIn(draw, visitorEntry.entry) ? visitorEntry : null,
    recordUrl: `/rooms/${room}/draw`,
    checkerUrl: `/rooms/${room}/draw/checker.js`,
  };
}

function isIn({ first, last }: PublishedDraw, entry: number): boolean {
  return first !== null && entry >= first && (last === null || entry <= last);
}

export function drawVariables({ commitment, seed, entries, beacon, voids, own, ...draw }: DrawView, locale: Locale) {
  const { draw: words, move, notice, waiting } = locale.texts;
  const { facts, stages } = words;
  const { stage } = draw;
  const tell = (value: number | null | undefined) => (value == null ? "" : locale.number(value));
  const factRows = [
    { label: facts.entries, value: tell(entries), isCode: false },
    ...voidFacts(voids ?? [], facts.voided, tell),
    { label: facts.round, value: String(beacon?.round ?? ""), isCode: true },
    { label: facts.seal, value: commitment, isCode: true },
    { label: facts.secret, value: seed ?? "", isCode: true },
  ];
  const source = beacon === null ? "none" : beacon.fallback === null ? "mixed" : "fallback";
  return {
    ...draw,
    stageText: stage === "closing" || stage === "closed" ? waiting.live.status.drawing : stages[stage],
    beaconText: stage === "cancelled" ? "" : words.beacon[source],
    facts: factRows.filter(({ value }) => value !== ""),
    own: own && {
      entry: own.entry,
      entryText: tell(own.entry),
      positionText: tell(own.position),
      receipt: own.receipt ?? "",
    },
    labels: { entry: waiting.draw.number, place: waiting.live.labels.place },
    copied: move.copied,
    unreachable: notice.unreachable,
    words,
  };
}

/**
 * Makes the language chooser of a page; undefined where there is nothing to choose. Every language stands by its own name, in the
 * order of these names, the same on every page.
 */
export function createChooser(all: readonly Locale[]) {
  const languages = all
    .map(({ tag, dir, texts }) => ({ tag, dir, name: texts.language.name }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  /** @param here where it leads back to; null where the page itself has that field of its form, `languages` */
  return ({ texts }: Locale, here: string | null) =>
    languages.length < 2 ? undefined : { ...texts.chooser, here, languages };
}

export type ChooserFor = ReturnType<typeof createChooser>;

/** So many are shown; the record has all. */
const listedVoidsMax = 20;

/** What the organiser has taken out of the draw, and why. */
function voidFacts(voids: readonly PublishedVoid[], label: string, tell: (count: number) => string) {
  return voids
    .filter(({ restored_at }) => restored_at === null)
    .slice(0, listedVoidsMax)
    .map(({ reference, reason, numbers }) => {
      const count = numbers.reduce((sum, [from, to]) => sum + to - from + 1, 0);
      return { label, value: `${tell(count)} – ${reason} (${reference})`, isCode: false };
    });
}
