import { createHash } from "node:crypto";
import { decodeQR } from "qr/decode.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Notice, Pages } from "../../../../src/web/pages/index.ts";
import { gzip, htmlOf, makePages, plain } from "./support.ts";

let pages: Pages;
beforeAll(() => {
  pages = makePages();
});

const link = `https://queue.example.com/rooms/tickets/move?place=k1.${"aZ09-_".repeat(24)}.${"m".repeat(32)}`;
const notice: Notice = {
  code: "move",
  values: { room: "Tour" },
  message: null,
  untilMs: Date.UTC(2031, 4, 10, 12, 3),
  move: { link, stateUrl: "/rooms/tickets/move/state", leftMs: 600_000 },
  action: { kind: "link", href: "/authorize?client_id=x", label: "back_to_place" },
};

/** The lines of the code, each a module high: where it begins, and how long it is. */
function linesOf(html: string): { x: number; y: number; length: number }[] {
  let [penX, penY] = [0, 0];
  return [...html.matchAll(/m(-?\d+) (\d+)h(\d+)/g)].map(([, right, down, length]) => {
    const [x, y] = [penX + Number(right), penY + Number(down)];
    [penX, penY] = [x + Number(length), y];
    return { x, y, length: Number(length) };
  });
}

/** What they draw, as a picture of black and white. */
function draw(html: string, scale = 4): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) \d+"[^>]*shape-rendering/.exec(html)?.[1]);
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const { x, y, length } of linesOf(html)) {
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      const from = (row * width + x * scale) * 4;
      for (let at = from; at < from + length * scale * 4; at++) if (at % 4 !== 3) data[at] = 0;
    }
  }
  return { width, height: width, data };
}

describe("the page with the link of a place", () => {
  test("holds the link, to be read, selected and copied, and the same as a code with white around it", () => {
    const html = htmlOf(pages.notice(notice, plain));
    expect(html).toMatch(new RegExp(`<input id="link" value="${link.replaceAll("?", "\\?")}"[^>]* readonly>`));
    expect(html).toContain('<label for="link">');
    expect(html).toMatch(/<button class="button" type="button" id="copy" hidden>/);
    expect(html).toMatch(/<svg class="code" role="img" aria-label="[^"]+"/);
    expect(decodeQR(draw(html))).toBe(link);
    expect(Math.min(...linesOf(html).map(({ x, y }) => Math.min(x, y)))).toBe(4);
    expect(html).toContain('href="/authorize?client_id=x"');
  });

  test("is a page in every language, and the link reads from left to right in each", () => {
    for (const language of pages.languages) {
      const html = htmlOf(pages.notice(notice, { ...plain, language }));
      expect(html).toContain(`<html lang="${language}"`);
      expect(html.replace(/<script>[\s\S]*?<\/script>/g, ""), language).not.toMatch(/\{\w+\}|undefined/);
      expect(html).toMatch(/<input id="link"[^>]* dir="ltr"/);
    }
  });

  test("allows its own style and script, and questions to this server alone", () => {
    const { contentSecurityPolicy: policy, ...page } = pages.notice(notice, plain);
    const html = htmlOf({ ...page, contentSecurityPolicy: policy });
    const hashOf = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? "";
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy).toContain(`script-src ${hashOf("script")};`);
    expect(policy).toContain(`style-src ${hashOf("style")};`);
    expect(policy).toContain("connect-src 'self';");
    // Other notices get nothing of it.
    const other = htmlOf(pages.notice({ code: "moved_here", values: { room: "Tour" } }, plain));
    expect(other).not.toMatch(/<script>|\.code\b/);
  });

  test("is within the budget, and the same compressed", () => {
    const page = pages.notice(notice, gzip);
    expect(htmlOf(page)).toBe(htmlOf(pages.notice(notice, plain)));
    // The code is the visitor's own, and not worth compressing for one.
    expect(page.body.length).toBeLessThanOrEqual(11_000);
  });

  test("asks for nothing to be escaped wrongly", () => {
    const hostile = { link: `https://queue.example.com/"><b>&`, stateUrl: `/"><b>`, leftMs: 1 };
    const html = htmlOf(pages.notice({ ...notice, move: hostile }, plain));
    expect(html).not.toContain('"><b>');
    expect(decodeQR(draw(html))).toBe(hostile.link);
  });
});
