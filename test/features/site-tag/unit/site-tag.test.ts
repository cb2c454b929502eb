import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import Koa from "koa";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { siteTagRoutes } from "../../../../src/features/site-tag/visitor-routes.ts";
import { compileBrowserScripts } from "../../../support/browser-scripts.ts";

describe("usher.js", () => {
  const folder = compileBrowserScripts();
  const text = readFileSync(join(folder, "usher.js"), "utf8");

  it("weighs at most 5,000 bytes as it is, and no more than docs/site-tag.md says, nor much less", () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000);
    const docs = readFileSync(fileURLToPath(new URL("../../../../docs/site-tag.md", import.meta.url)), "utf8");
    const said = /weighs at most ([\d,]+) bytes as it is sent \(gzip\), and ([\d,]+) unpacked/.exec(docs) ?? [];
    const [sentMax = 0, unpackedMax = 0] = said.slice(1).map((figure) => Number(figure.replace(",", "")));
    const weights = [gzipSync(text, { level: 9 }).length / sentMax, Buffer.byteLength(text) / unpackedMax];
    for (const weight of weights) {
      expect(weight).toBeLessThanOrEqual(1);
      expect(weight).toBeGreaterThan(0.95);
    }
  });

  it("makes no markup or code of words", () => {
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\.cssText/);
  });

  it("is served to pages of any origin, is kept for five minutes, and then asked for by its tag", async () => {
    const app = new Koa({ env: "test" });
    app.use(siteTagRoutes({ script: () => ({ plain: Buffer.from(text), gzip: gzipSync(text) }) }).routes());
    const handle = app.callback();
    const answer = await request(handle).get("/usher.js").set("Accept-Encoding", "gzip");
    expect(answer.text).toBe(text);
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    const plain = await request(handle).get("/usher.js").set("Accept-Encoding", "identity");
    expect([plain.text, plain.headers["content-encoding"], plain.headers.etag]).toEqual([
      text,
      undefined,
      answer.headers.etag,
    ]);
    const again = await request(handle).get("/usher.js").set("If-None-Match", String(answer.headers.etag));
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", answer.headers.etag]);
    expect((await request(handle).get("/usher.js").set("If-None-Match", '"other"')).status).toBe(200);
  });
});
