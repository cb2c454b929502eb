/**
 * What a waiting page is drawn with and run by, as files of their own (`pages.assets: linked`): its stylesheet, its script with the
 * texts, icon and logos. A file is created on its first request. Nothing is cached for a name that no page uses, so that
 * invented names cannot fill the memory.
 */
import type { Locale } from "../locales/locale.ts";
import type { Look } from "../themes/looks.ts";
import type { WaitingView } from "../types.ts";
import { type AssetFile, assetFile, hashedName, scriptType } from "./assets.ts";
import type { LinkedFiles } from "./page-links.ts";
import { type ScriptNeeds, scriptNeedsOf, textsForScript, type WaitingSources } from "./waiting-script.ts";

/** All that a page can be, in a form that its texts can be found by. */
const allNeeds: readonly ScriptNeeds[] = (
  [
    ["usual", false, false],
    ["usual", false, true],
    ["held", false, false],
    ["entry", false, false],
    ["entry", true, false],
    ["entry", true, true],
  ] as const
).map(([kind, isUndrawn, isSoldOut]) => ({ kind, isUndrawn, isSoldOut, isAtMost: true }));

/** To the form of the language chooser, whose field is empty in such a page: an address may be longer than all else in it. */
const tellAddress =
  'for(let f of document.getElementsByName("return"))f.value=f.value||location.pathname+location.search;';

const styleName = /^waiting-[0-9a-f]{8}\.css$/;
const scriptName = /^waiting-(\S+)-[0-9a-f]{8}\.js$/;
const imageName = /^image-[0-9a-f]{8}\.\w+$/;

export type WaitingFiles = ReturnType<typeof createWaitingFiles>;

export function createWaitingFiles({
  sources,
  localesOf,
  looks,
}: {
  readonly sources: WaitingSources;
  /** All with this tag that pages may be in: that of each theme. */
  readonly localesOf: (tag: string) => readonly Locale[];
  /** All that pages may have. */
  readonly looks: () => readonly Look[];
}) {
  /** How each file is made, by its name: itself it is kept from when it is first asked for. */
  const makers = new Map<string, () => AssetFile>();
  const files = new Map<string, AssetFile>();
  const named = new WeakMap<Locale, Map<string, string>>();
  const images = new Map<string, string>();
  const listed = new Set<string>();

  function note(name: string, extension: string, type: string, make: () => Buffer): string {
    const file = `${hashedName(name, make())}.${extension}`;
    if (!makers.has(file)) makers.set(file, () => assetFile(type, make()));
    return file;
  }

  function scriptFile(needs: ScriptNeeds, locale: Locale): string {
    const all = { ...needs, isAtMost: true };
    const key = Object.values(all).join(" ");
    const ofLocale = named.get(locale) ?? new Map<string, string>();
    named.set(locale, ofLocale);
    const make = () => Buffer.from(withTexts(all, locale));
    const file = ofLocale.get(key) ?? note(`waiting-${locale.tag}`, "js", scriptType, make);
    ofLocale.set(key, file);
    return file;
  }

  /** The script, and before it what the page would say to it besides. */
  function withTexts(needs: ScriptNeeds, locale: Locale): string {
    const scriptData = { texts: textsForScript(needs, locale), later: sources.later(locale, needs.isUndrawn) };
    const add = `l.textContent=JSON.stringify({...JSON.parse(l.textContent),...${JSON.stringify(scriptData)}})`;
    return `(l=>{if(l)${add}})(document.getElementById("live"));${tellAddress}${sources.script(needs.kind).text}`;
  }

  /** The same in all states. */
  const styleFile = (look: Look, isRehearsal: boolean) =>
    note("waiting", "css", "text/css", () => Buffer.from(sources.style(look, { isRehearsal }, true, true).text));

  function imageFile(uri: string): string {
    const cached = images.get(uri);
    if (cached !== undefined) return cached;
    const [, type = "", encoding, data = ""] = /^data:([\w/+.-]+)(;base64)?,(.*)$/s.exec(uri) ?? [];
    const extension = /\w+/.exec(type.split("/")[1] ?? "")?.[0] ?? "img";
    const isText = encoding === undefined;
    const make = () => Buffer.from(isText ? decodeURIComponent(data) : data, isText ? "utf8" : "base64");
    const file = note("image", extension, type, make);
    images.set(uri, file);
    return file;
  }

  /** Of what has a name like this, notes all that there is. */
  function noteLike(file: string): void {
    const [, tag] = scriptName.exec(file) ?? [];
    const kind = tag ?? (styleName.test(file) ? "style" : imageName.test(file) ? "image" : undefined);
    if (kind === undefined || listed.has(kind)) return;
    const locales = tag === undefined ? [] : localesOf(tag);
    if (tag !== undefined && locales.length === 0) return;
    listed.add(kind);
    for (const locale of locales) for (const needs of allNeeds) scriptFile(needs, locale);
    if (tag !== undefined) return;
    for (const look of looks()) {
      if (kind === "style") for (const isRehearsal of [false, true]) styleFile(look, isRehearsal);
      else for (const uri of look.images) imageFile(uri);
    }
  }

  return {
    /** Those of a page. */
    of: (look: Look, view: WaitingView, locale: Locale): LinkedFiles => ({
      style: styleFile(look, view.isRehearsal === true),
      script: scriptFile(scriptNeedsOf(view), locale),
    }),
    /** Of an image that would stand in the page as an address of its own. */
    imageAddress: (uri: string) => `/assets/${imageFile(uri)}`,
    /** Undefined for a name that no page of this configuration has. */
    find(file: string): AssetFile | undefined {
      const cached = files.get(file);
      if (cached !== undefined) return cached;
      if (!makers.has(file)) noteLike(file);
      const make = makers.get(file);
      if (make === undefined) return undefined;
      const asset = make();
      files.set(file, asset);
      return asset;
    },
  };
}
