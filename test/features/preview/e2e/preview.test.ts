/** `usher preview`: every page with made-up data, which follows the files while they are edited. */

import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Preview, startPreview } from "../../../../src/features/preview/preview.ts";
import { systemClock } from "../../../../src/lib/clock-and-random.ts";
import { parts } from "../../../support/load-config.ts";
import { accepts } from "../../../support/ports.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

const packageDir = fileURLToPath(new URL("../../../../", import.meta.url));

/** As the command starts it. */
const preview = (file?: string, port = 0) =>
  startPreview({ file, port, env: {}, parts, clock: systemClock, packageDir });

/** What the server tells open windows: the revisions, one after the other. */
async function listen(url: string): Promise<{ next(): Promise<string>; close(): Promise<void> }> {
  const { body } = await fetch(`${url}events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error("no events");
  let heard = "";
  return {
    async next() {
      for (;;) {
        const [whole, revision] = /event: revision\ndata: (\S+)\n\n/.exec(heard) ?? [];
        if (whole !== undefined) {
          heard = heard.slice(heard.indexOf(whole) + whole.length);
          return revision ?? "";
        }
        const { value, done } = await reader.read();
        if (done) throw new Error("the events ended");
        heard += value;
      }
    },
    close: () => reader.cancel(),
  };
}

const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text();

describe("without a configuration", () => {
  let running: Preview;
  let url: string;
  beforeAll(async () => {
    running = await preview();
    url = running.url;
  });
  afterAll(() => running?.close());

  test("the window lists pages and languages, and has the chosen page in its frame", async () => {
    const response = await fetch(`${url}?state=message_warning&language=de&width=768&scheme=dark`);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self';/,
    );
    const html = await response.text();
    expect(html).not.toMatch(/ on\w+=|<script>|<style| style=/);
    for (const title of ["In line", "It is your turn", "Cookies are refused", "Deutsch", "العربية"]) {
      expect(html).toContain(`>${title}<`);
    }
    expect(html).toMatch(
      /<iframe class="dark"[^>]* width="768" src="\/page\?look=tickets&amp;language=de&amp;state=message_warning"/,
    );
    expect(html).toMatch(/<a rel="prev" href="\?[^"]*state=message_information/);
    expect(html).toMatch(/<a rel="next" href="\?[^"]*state=waiting_stock/);
    for (const file of ["preview.css", "preview.js"]) expect((await fetch(url + file)).status).toBe(200);
  });

  test.each([
    ["en", "waiting", "411 people ahead of you"],
    ["de", "place_expired", 'data-notice="place_expired"'],
    ["ar", "entered", 'dir="rtl"'],
  ])("in %s: %s", async (language, state, expected) => {
    const response = await fetch(`${url}page?language=${language}&state=${state}`);
    expect(response.headers.get("content-language")).toBe(language);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(await response.text()).toContain(expected);
  });

  test("the page's script finds the room as the chosen state needs it, and a held page stays ready to enter", async () => {
    const html = await textOf(`${url}page?state=turn`);
    const [, address = ""] = /data-status-url="([^"]+)"/.exec(html) ?? [];
    const status = await (await fetch(new URL(address.replaceAll("&amp;", "&"), url))).json();
    expect(status).toMatchObject({ room: "tickets", phase: "open", serving: 5_000 });
    const claim = await fetch(`${url}rooms/tickets/tickets/me/claim`, {
      method: "POST",
      headers: { referer: `${url}page?state=held_behind` },
    });
    expect(await claim.json()).toMatchObject({ state: "served", held_by: "limit", ahead: 12 });
  });

  test("what the page does by itself changes nothing, what a visitor presses says where it would lead", async () => {
    const address = `${url}page?state=turn`;
    expect((await fetch(address, { headers: { referer: address } })).status).toBe(204);
    expect((await fetch(address, { headers: { referer: address, "sec-fetch-user": "?1" } })).status).toBe(200);
    const word = await textOf(`${url}rooms/tickets/leave`, { method: "POST", headers: { referer: address } });
    expect(word).toContain("POST /rooms/tickets/leave");
    expect(word).toContain('href="/page?state=turn"');
    const chosen = await fetch(`${url}language`, {
      method: "POST",
      body: new URLSearchParams({ language: "de", return: "/" }),
      headers: { referer: address },
      redirect: "manual",
    });
    expect(chosen.headers.get("location")).toBe("/page?state=turn&language=de");
    expect(await textOf(`${url}page?state=too_many_restarts`)).toContain(
      "/elsewhere?to=https%3A%2F%2Fshop.example.com%2F",
    );
  });

  test("is for this computer alone", async () => {
    const port = Number(new URL(url).port);
    expect(await accepts(port)).toBe(true);
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address } of others.filter(({ internal, family }) => !internal && family === "IPv4")) {
      expect(await accepts(port, address), address).toBe(false);
    }
    expect(await statusByName("evil.example.com", port)).toBe(421);
  });
});

async function statusByName(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once("error", reject);
  });
}

describe("with a configuration", () => {
  let folder: TempDir;
  let running: Preview;
  let url: string;
  let file: string;
  const rooms = (title: string) =>
    `  - { id: museum, title: ${title}, language: de }\n  - { id: tickets, title: Tickets }\n`;
  // Its secrets are where this computer has none, and its store is nowhere.
  const yaml = (title: string) => `issuer: https://queue.example.com
locales: ./texts
theme: { views: ./views }
store: { type: redis, url: { from: env, name: NO_SUCH_VARIABLE } }
rooms:
${rooms(title)}clients:
  - client_id: shop
    client_secret: { from: file, path: /no/such/file }
    redirect_uris: [https://shop.example.com/callback]
    room: tickets
    theme: { footer: The shop's own words }
`;

  beforeAll(async () => {
    folder = await makeTempDir("preview");
    file = join(folder.path, "usher.yaml");
    for (const name of ["texts", "views"]) await mkdir(join(folder.path, name));
    await writeFile(file, yaml("The museum"));
    running = await preview(file);
    url = running.url;
  });
  afterAll(async () => {
    await running?.close();
    await folder?.remove();
  });

  test("shows its rooms, and the clients that look otherwise", async () => {
    const html = await textOf(url);
    for (const id of ["museum", "tickets", "tickets/shop"]) expect(html).toContain(`<option value="${id}"`);
    expect(html).not.toContain('role="alert"');
    expect(await textOf(`${url}page?look=museum`)).toContain("The museum");
    const ofShop = await textOf(`${url}page?look=tickets%2Fshop`);
    expect(ofShop).toContain("The shop&#39;s own words");
    expect(await textOf(`${url}page?look=tickets`)).not.toContain("The shop&#39;s own words");
    expect(existsSync(join(folder.path, ".usher"))).toBe(false);
  });

  test("follows texts and configuration, and outlives their faults", async () => {
    const events = await listen(url);
    const revisions = [await events.next()];
    const german = `${url}page?look=museum&language=de`;
    expect(await textOf(german)).not.toContain("Foyer");

    /** Window after window is loaded anew, as its script does, until this is so. */
    const comesTrue = async (condition: () => Promise<boolean>) => {
      do revisions.push(await events.next());
      while (!(await condition()));
    };
    const shows = (words: string) => async () => (await textOf(german)).includes(words);
    const hasFaults = async () => (await textOf(url)).includes('role="alert"');
    const isMended = async () => !(await hasFaults());

    await writeFile(join(folder.path, "texts", "de.json"), JSON.stringify({ waiting: { eyebrow: "Foyer" } }));
    await comesTrue(shows("Foyer"));
    await writeFile(file, yaml("The new museum"));
    await comesTrue(shows("The new museum"));

    // Broken: the faults are shown, and the pages are as they were.
    await writeFile(file, `${yaml("The third museum")}colour: red\n`);
    // Half written it has other faults.
    await comesTrue(async () => /1 fault:[\s\S]*colour/.test(await textOf(url)));
    expect(await hasFaults()).toBe(true);
    expect(await textOf(german)).toContain("The new museum");
    await writeFile(file, yaml("The third museum"));
    await comesTrue(isMended);
    expect(await textOf(german)).toContain("The third museum");

    await writeFile(join(folder.path, "texts", "de.json"), "{");
    await comesTrue(hasFaults);
    expect(await textOf(german)).toContain("Foyer");
    await writeFile(join(folder.path, "texts", "de.json"), "{}");
    await comesTrue(isMended);
    expect(await textOf(german)).not.toContain("Foyer");
    // A template of one's own that fails is told of, and the built-in one is used.
    await writeFile(join(folder.path, "views", "notice.ejs"), "<% if %>");
    await comesTrue(async () => (await textOf(url)).includes("notice.ejs is not used"));
    expect(await textOf(`${url}page?look=tickets&state=left`)).toContain("You have left");
    await rm(join(folder.path, "views", "notice.ejs"));
    await comesTrue(async () => !(await textOf(url)).includes("notice.ejs is not used"));
    expect(new Set(revisions).size).toBe(revisions.length);
    await events.close();
  });
});

test("a broken configuration shows its faults, and one made-up room", async () => {
  const folder = await makeTempDir("preview");
  const file = join(folder.path, "usher.yaml");
  await writeFile(file, "rooms: [");
  const running = await preview(file);
  const html = await textOf(running.url);
  expect(html).toContain("is not valid YAML");
  expect(html).toContain("Autumn tour tickets");
  await running.close();
  await folder.remove();
});

test("the command says where to look, and ends when it is stopped", async () => {
  const stop = new AbortController();
  const printed: string[] = [];
  const run = runUsher(["preview", "--port", "0"], { stop: stop.signal, onPrint: (text) => printed.push(text) });
  await expect.poll(() => printed.join()).toMatch(/http:\S+/);
  const [url = ""] = /http:\S+/.exec(printed.join()) ?? [];
  expect(await textOf(url)).toContain("Autumn tour tickets");
  stop.abort();
  expect(await run).toMatchObject({ code: 0, failure: "" });
  await expect(fetch(url)).rejects.toThrow();
});
