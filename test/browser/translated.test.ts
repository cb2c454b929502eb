/**
 * A translator, or an extension, rewrites what stands in a page, as Google Translate does: each text is taken into elements of its own, new
 * texts as soon as they come, the title too, and the page's language is another. The page writes what has changed, and nothing else.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { compileBrowserScripts } from "../support/browser-scripts.ts";
import { soon, visitGallery } from "../support/gallery-visit.ts";
import { words } from "../support/page-gallery.ts";
import { long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count } = await visitGallery();
const status = "/rooms/tickets/status";

/** What scripts write after it is noted in `written`, by the id of the element, with the words, once for each change of the page; and translated again. */
const translate = `{
  window.written = [];
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentNode } = walker.currentNode;
      if (data.trim() && !parentNode.closest("font, script, style, textarea")) found.push(walker.currentNode);
    }
    return found;
  };
  const rewrite = () => {
    for (const text of texts(document.body)) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = "«" + text.data + "»";
      outer.append(inner);
      text.replaceWith(outer);
    }
    if (!document.title.startsWith("«")) document.title = "«" + document.title + "»";
  };
  const observer = new MutationObserver((changes) => {
    const changed = new Set(changes.map(({ target }) => (target.closest ? target : target.parentNode)?.closest("[id], [class], title")));
    for (const element of changed) written.push([element?.id || element?.className || element?.localName, element?.textContent]);
    observer.disconnect();
    rewrite();
    look();
  });
  const look = () => observer.observe(document, { subtree: true, childList: true, characterData: true });
  document.documentElement.lang = "fr";
  rewrite();
  look();
}`;

/** Since it was read last, by element. */
async function written(page: Page, ...idsLeftOut: string[]): Promise<[id: string, words: string][]> {
  const all = (await page.evaluate("written.splice(0)")) as [string, string][];
  return all.filter(([id]) => !idsLeftOut.includes(id));
}

async function afterAnswers(path: string, times: number): Promise<void> {
  const before = count(path);
  await expect.poll(() => count(path), soon).toBeGreaterThanOrEqual(before + times);
}

async function haveLaterParts(page: Page): Promise<void> {
  for (const id of ["#moved", ".walk"]) await page.locator(id).waitFor({ state: "attached" });
}

/** The numbers' age grows, and is to be seen. */
const age = "updated";

test("a waiting page that was translated writes what has changed alone, and says each thing aloud once", async () => {
  Object.assign(gallery.room, {
    message: words("Doors open at eight.", "warning"),
    pace: { ...gallery.room.pace, placesPerMinute: null, note: "slower" },
  });
  const page = await arrive();
  await haveLaterParts(page);
  await afterAnswers(status, 3);
  await page.evaluate(translate);
  // Answers, and seconds.
  await afterAnswers(status, 8);
  await pause(2_200);
  expect(await written(page, age)).toEqual([]);
  expect(await page.title()).toBe("«411 ahead – Autumn tour tickets»");

  gallery.room.serving = 4_900;
  await expect.poll(() => text("#ahead"), soon).toBe("«99 people ahead of you»");
  await afterAnswers(status, 4);
  const fallen = await written(page, age, "moved");
  // Passing a hundred is said aloud.
  expect(fallen.filter(([id]) => id === "milestone")).toEqual([["milestone", "99 people ahead of you"]]);
  expect(fallen.map(([id]) => id).sort()).toEqual([...new Set(fallen.map(([id]) => id))].sort());
  expect(await page.title()).toBe("«99 ahead – Autumn tour tickets»");

  // A message that was there is not said again for its language's sake; another is, once.
  gallery.room.message = words("Doors open at nine.", "warning");
  await expect.poll(() => text("#message-text"), soon).toBe("«Doors open at nine.»");
  await afterAnswers(status, 6);
  const alerts = await written(page, age, "moved");
  expect(alerts.filter(([id]) => id === "words-alert")).toHaveLength(1);
  expect(alerts.filter(([id]) => id !== "words-alert" && id !== "message")).toEqual([]);
});

long("that no answer comes, and that the browser is offline, is said aloud once, whatever else happens", async () => {
  const page = await arrive();
  await afterAnswers(status, 2);
  await page.evaluate(translate);
  // A browser may be wrong about it: answers come all the same.
  await page.evaluate(`Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false })`);
  await afterAnswers(status, 8);
  expect((await written(page)).filter(([id]) => id === "problem").length).toBeLessThanOrEqual(2);
  expect(await text("#problem")).toBe("");
  await page.evaluate("delete navigator.onLine");
  gallery.room.statusCode = 502;
  await expect.poll(() => text("#problem"), soon).toMatch(/^«.+»$/);
  await pause(3_200);
  expect((await written(page)).filter(([id]) => id === "problem")).toHaveLength(1);
});

long("why a place is held is said aloud once", async () => {
  Object.assign(gallery.room, { state: "held", serving: 5_000, heldBy: "capacity" });
  const page = await arrive();
  const claim = "/rooms/tickets/tickets/me/claim";
  await haveLaterParts(page);
  await afterAnswers(status, 2);
  await page.evaluate(translate);
  await afterAnswers(claim, 4);
  await pause(1_200);
  expect(await written(page, age)).toEqual([]);
  gallery.room.heldBy = "limit";
  await expect.poll(() => text("#status"), soon).toBe("«You are next. Letting you in…»");
  await afterAnswers(claim, 3);
  expect((await written(page, age)).filter(([id]) => id === "milestone")).toHaveLength(1);
});

long("a page before the opening writes nothing while nothing happens", async () => {
  gallery.room.phase = "idle";
  const page = await arrive({}, undefined, "/notice/not_open");
  const hear = async () => {
    const before = count(status);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect.poll(() => count(status), soon).toBeGreaterThan(before);
    await pause(1_200);
  };
  await hear();
  await page.evaluate(translate);
  await hear();
  await pause(2_000);
  expect(await written(page)).toEqual([]);
});

long("the tag's link says once what the room does", async () => {
  const file = join(compileBrowserScripts(), "usher.js");
  // Of a feature, which may have been taken away.
  if (!existsSync(file)) return;
  const tag = readFileSync(file, "utf8");
  const html = `<!doctype html><html lang="en"><body><p data-usher-room="tickets" data-usher-issuer="${gallery.url}"></p><script>${tag}</script></body></html>`;
  const page = await arrive(
    {},
    (page) => page.route("**/tour", (route) => route.fulfill({ contentType: "text/html", body: html })),
    "/tour",
  );
  await expect.poll(() => text(".usher-state"), soon).toBe("Open now");
  await page.evaluate(translate);
  await pause(3_200);
  await afterAnswers(status, 3);
  expect(await written(page)).toEqual([]);
  gallery.room.phase = "paused";
  await expect.poll(() => text(".usher-state"), soon).toBe("«Paused for a moment»");
  await pause(2_200);
  expect((await written(page)).map(([, words]) => words)).toEqual(["Paused for a moment"]);
});
