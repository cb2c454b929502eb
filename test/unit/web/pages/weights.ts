/** What pages weigh, compressed: phones with little data load them again and again. */
import type { Pages } from "../../../../src/web/pages/index.ts";
import type { Sample } from "../../../../src/web/pages/samples/index.ts";
import { htmlOf } from "./support.ts";

/** Those that one language is tried with: all, by three languages. */
export function thirdOf<One>(all: readonly One[], index: number): One[] {
  return all.filter((_, at) => (at + index) % 3 === 0);
}

/** Of whole pages, each with the banner of a rehearsal: the waiting page beyond 14 kB, others beyond 10 kB. */
export function tooHeavy(pages: Pages, some: readonly Sample[], language: string): string[] {
  const accept = { gzip: true, language: undefined, chosen: language, here: "/authorize?client_id=shop" };
  return some.flatMap((sample) => {
    const isWaiting = sample.kind === "waiting";
    const page = isWaiting
      ? pages.waiting({ ...sample.view, isRehearsal: true, hasPush: true }, sample.visitor, accept)
      : pages.notice({ ...sample.notice, isRehearsal: true }, accept);
    const { length } = page.body;
    return length > (isWaiting ? 14_000 : 10_000) ? [`${sample.id}: ${length}`] : [];
  });
}

/** Of waiting pages with files beside them: those beyond 4 kB, and those that are another page compressed. */
export function faultsOfLinked(pages: Pages, some: readonly Sample[], language: string): string[] {
  const accept = { language, here: `/authorize?client_id=shop&state=${"x".repeat(400)}` };
  return some.flatMap((sample) => {
    if (sample.kind !== "waiting") return [];
    const { id, view, visitor } = sample;
    const page = pages.waiting(view, visitor, { ...accept, gzip: true });
    const { length } = page.body;
    const isSame = htmlOf(page) === htmlOf(pages.waiting(view, visitor, { ...accept, gzip: false }));
    return [...(length > 4_000 ? [`${id}: ${length}`] : []), ...(isSame ? [] : [`${id} is another page compressed`])];
  });
}
