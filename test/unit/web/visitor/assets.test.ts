/** Parts of the pages' scripts over HTTP: kept for good by browsers and caches, and nothing else is there. */
import Koa from "koa";
import supertest from "supertest";
import { expect, test } from "vitest";
import { createRouter } from "../../../../src/web/middleware/router.ts";
import { type AssetFile, assetFile as assetOf } from "../../../../src/web/pages/render/assets.ts";
import { readLaterParts } from "../../../../src/web/pages/render/waiting-script.ts";
import { createAssets } from "../../../../src/web/visitor/pages/send-file.ts";
import { compileBrowserScripts } from "../../../support/browser-scripts.ts";

const laterParts = readLaterParts(compileBrowserScripts());
const router = createRouter();
const others: Record<string, AssetFile> = {
  "waiting-00000001.css": assetOf("text/css", Buffer.from("a{}")),
  "image-00000001.svg": assetOf("image/svg+xml", Buffer.from("<svg/>")),
  "image-00000001.png": assetOf("image/png", Buffer.from("png")),
};
const assetFile = (file: string) => [...laterParts.values()].find((part) => `${part.file}.js` === file) ?? others[file];
router.get("/assets/:file", createAssets({ assetFile }));
const agent = supertest(
  new Koa()
    .use(async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        ctx.status = (error as { code: string }).code === "not_found" ? 404 : 500;
        ctx.set("Cache-Control", "no-store");
      }
    })
    .use(router.routes())
    .callback(),
);

test.each([...laterParts])("%s: a module, with and without compression, that may be kept", async (name, part) => {
  expect(part.file).toMatch(new RegExp(`^${name}-[0-9a-f]{8}$`));
  for (const encoding of ["gzip", "identity"]) {
    const answer = await agent.get(`/assets/${part.file}.js`).set("Accept-Encoding", encoding).expect(200);
    expect(answer.text).toBe(part.plain.toString());
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      vary: "Accept-Encoding",
    });
    expect(answer.headers["content-encoding"]).toBe(encoding === "gzip" ? "gzip" : undefined);
  }
});

test.each([
  ["waiting-00000001.css", "text/css; charset=utf-8", true],
  ["image-00000001.svg", "image/svg+xml", true],
  ["image-00000001.png", "image/png", false],
])(
  "%s comes as what it is, compressed where that helps, and an image does nothing where it is opened by itself",
  async (file, type, isShort) => {
    const answer = await agent.get(`/assets/${file}`).set("Accept-Encoding", "gzip").expect(200);
    expect(answer.headers).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(answer.headers["content-encoding"]).toBe(isShort ? "gzip" : undefined);
    const policy = answer.headers["content-security-policy"];
    if (type.startsWith("image/")) expect(policy).toMatch(/^default-src 'none'.*; sandbox$/);
    else expect(policy).toBeUndefined();
  },
);

test("a part of another version is not found, and that is not kept", async () => {
  for (const file of ["call-00000000.js", "call.js", "..%2Fwaiting.js"]) {
    const { headers } = await agent.get(`/assets/${file}`).expect(404);
    expect(headers["cache-control"]).toBe("no-store");
  }
});
