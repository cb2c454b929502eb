import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError } from "../../../src/config/checks/faults.ts";
import { pageLinkFault } from "../../../src/config/checks/urls.ts";
import { readImageFacts, toDataUri } from "../../../src/config/themes/theme-files.ts";
import { loadConfig } from "../../support/load-config.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h120v40z"/></svg>';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "usher-themes-"));
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  put("logo.svg", svg);
  put("dark.svg", svg.replace("<path", '<path fill="#fff"'));
  put("heavy.svg", svg.replace("/>", `/><!-- ${Array.from({ length: 6_000 }, (_, i) => (i * i) % 97).join("")} -->`));
  put("huge.svg", `${svg}${" ".repeat(40_000)}`);
  put("page.svg", "<!doctype html><html><body>no image</body></html>");
  put("inline.svg", svg.replace(/ xmlns="[^"]*"/, ""));
  put("sizeless.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
  put("script.svg", svg.replace("<path", "<script>alert(1)</script><path"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const room = (id: string, theme?: object) => ({ id, ...(theme && { theme }) });
const client = (id: string, rooms: string[], theme?: object) => ({
  client_id: id,
  client_secret: "a-long-enough-secret",
  redirect_uris: [`https://${id}.example.com/callback`],
  rooms,
  ...(theme && { theme }),
});
const one = (theme?: object) => ({
  issuer: "https://queue.example.com",
  rooms: [room("tickets", theme)],
  clients: [client("shop", ["tickets"])],
});
const env = { USHER_ADMIN_API_KEY: "a".repeat(32) };
const load = (document: object) => loadConfig({ document, env, file: join(folder, "usher.yaml") });

async function themesOf(document: object) {
  const { config } = await load(document);
  const [issuer] = config.issuers;
  if (issuer === undefined) throw new Error("no issuer");
  return issuer.themes;
}

async function faultsOf(document: object): Promise<string[]> {
  try {
    await load(document);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ path, value, message }) => `${path} | ${value} | ${message}`);
  }
  return [];
}

describe("a theme", () => {
  test("is none where none is given: pages look as they are built", async () => {
    expect(await themesOf(one())).toEqual({
      usual: null,
      ofRooms: new Map(),
      ofClients: new Map([["shop", new Map()]]),
      ofLinks: new Map(),
    });
  });

  test("has all that it says, complete", async () => {
    const { ofRooms } = await themesOf(
      one({
        logo: {
          file: "./logo.svg",
          dark_file: "dark.svg",
          alt: { en: "Acme", "DE-at": "Akme" },
          link: "https://acme.example/",
        },
        colors: { accent: "#8A1538", paper: "#fff", dark: { accent: "#f2a3b8" } },
        title: { en: "Autumn tour", de: "Herbsttour" },
        texts: { de: { "waiting.eyebrow": "Foyer", "waiting.live.ahead": { one: "{n}", other: "{n}" } } },
        links: [{ href: "mailto:help@acme.example", label: "Help" }],
        footer: "Acme Ltd\r\nLondon",
        while_waiting: { en: "# Soon\r\n\r\n*seven*" },
        views: ".",
      }),
    );
    expect(ofRooms.get("tickets")).toEqual({
      places: ["rooms[0].theme"],
      chosenColors: { light: { accent: "#8a1538", paper: "#ffffff" }, dark: { accent: "#f2a3b8" } },
      logo: {
        image: { uri: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/), ratio: 3 },
        darkImage: { uri: expect.stringContaining("%23fff"), ratio: 3 },
        alt: [
          { language: "en", text: "Acme" },
          { language: "de-AT", text: "Akme" },
        ],
        height: 40,
        link: "https://acme.example/",
      },
      colors: {
        light: expect.objectContaining({ accent: "#8a1538", paper: "#ffffff", on_accent: "#ffffff" }),
        dark: expect.objectContaining({ accent: "#f2a3b8", paper: "#11161b" }),
      },
      title: [
        { language: "en", text: "Autumn tour" },
        { language: "de", text: "Herbsttour" },
      ],
      texts: [
        { language: "de", path: "waiting.eyebrow", text: "Foyer", where: "rooms[0].theme.texts.de" },
        {
          language: "de",
          path: "waiting.live.ahead",
          text: { one: "{n}", other: "{n}" },
          where: "rooms[0].theme.texts.de",
        },
      ],
      links: [{ href: "mailto:help@acme.example", label: [{ language: null, text: "Help" }] }],
      footer: [{ language: null, text: "Acme Ltd\nLondon" }],
      whileWaiting: [{ language: "en", text: "# Soon\n\n*seven*" }],
      viewsDir: folder,
    });
  });

  test("of a client lies over its room's, and that over the issuer's: colours by name, texts by place, else the whole", async () => {
    const { usual, ofRooms, ofClients } = await themesOf({
      issuer: "https://queue.example.com",
      theme: {
        colors: { accent: "#003399", bad: "#8b0000" },
        footer: "Acme",
        links: [{ href: "https://a.example/", label: "A" }],
      },
      rooms: [
        room("tickets", {
          colors: { accent: "#8a1538" },
          title: "Tour",
          texts: { en: { "waiting.eyebrow": "Foyer" } },
        }),
        room("plain"),
      ],
      clients: [
        client("shop", ["tickets", "plain"], {
          colors: { dark: { accent: "#ffffff" } },
          texts: { en: { "waiting.check": "Look" } },
          links: [],
        }),
        client("app", ["tickets"]),
      ],
    });
    expect(usual).toMatchObject({ colors: { light: { accent: "#003399", bad: "#8b0000" } }, title: null });
    expect(ofRooms.get("plain")).toBe(usual);
    const tickets = ofRooms.get("tickets");
    expect(tickets).toMatchObject({
      colors: { light: { accent: "#8a1538", bad: "#8b0000" } },
      footer: [{ text: "Acme" }],
      links: [{ href: "https://a.example/" }],
    });
    expect(ofClients.get("app")?.get("tickets")).toBe(tickets);
    expect(ofClients.get("shop")?.get("tickets")).toMatchObject({
      colors: { light: { accent: "#8a1538", bad: "#8b0000" }, dark: { accent: "#ffffff" } },
      title: [{ text: "Tour" }],
      texts: [{ path: "waiting.eyebrow" }, { path: "waiting.check" }],
      links: [],
    });
    expect(ofClients.get("shop")?.get("plain")).toMatchObject({
      colors: { light: { accent: "#003399" } },
      title: null,
    });
  });

  test("of several issuers: each has its own over the common one", async () => {
    const { config } = await load({
      theme: { footer: "Common", colors: { accent: "#003399" } },
      issuers: [
        { issuer: "https://one.example.com", rooms: [room("one")], theme: { footer: "One" } },
        { issuer: "https://two.example.com", rooms: [room("two", { footer: "Room" })] },
      ],
    });
    const footers = config.issuers.map(({ themes }) =>
      [themes.usual, ...themes.ofRooms.values()].map((theme) => theme?.footer?.[0]?.text),
    );
    expect(footers).toEqual([
      ["One", "One"],
      ["Common", "Room"],
    ]);
    expect(config.issuers[1]?.themes.ofRooms.get("two")?.colors?.light.accent).toBe("#003399");
  });
});

describe("what is wrong in themes", () => {
  test("is told all at once, with its place", async () => {
    const faults = await faultsOf({
      ...one({
        logo: { file: "none.svg", alt: "", height: 8, link: "javascript:alert(1)" },
        colors: { accent: "teal", acent: "#fff", dark: { ink: "#12345" } },
        title: { xx_1: "x" },
        texts: { DE: { "waiting.eyebrow": "x" }, en: "x" },
        links: Array.from({ length: 7 }, () => ({ href: "https://a.example/", label: "A" })),
        footer: "a\u0000b",
        views: "nowhere",
        fonts: [],
      }),
      theme: { title: "x", links: [{ href: "ftp://a.example/", label: "x".repeat(61) }] },
    });
    expect(faults).toEqual([
      expect.stringMatching(/^rooms\[0\]\.theme\.logo\.alt \| "" \| expected what the logo says/),
      expect.stringMatching(/^rooms\[0\]\.theme\.logo\.height \| 8 \| expected a whole number from 16 to 96/),
      expect.stringMatching(
        /^rooms\[0\]\.theme\.logo\.link \| "javascript:alert\(1\)" \| expected an absolute URL: https, http or mailto/,
      ),
      expect.stringMatching(
        /^rooms\[0\]\.theme\.colors\.accent \| "teal" \| expected a colour in hexadecimal digits, such as "#0b5d57"/,
      ),
      expect.stringMatching(/^rooms\[0\]\.theme\.colors\.dark\.ink \| "#12345" \| expected a colour/),
      expect.stringMatching(/^rooms\[0\]\.theme\.colors\.acent \| "#fff" \| unknown key, did you mean accent\?/),
      expect.stringMatching(/^rooms\[0\]\.theme\.texts\.en \| "x" \| expected texts by their places/),
      expect.stringMatching(/^rooms\[0\]\.theme\.links \| a list of 7 \| expected a list of at most 6 items/),
      expect.stringMatching(
        /^rooms\[0\]\.theme\.footer \| .* \| expected a text for the foot of the page, at most 1000 characters/,
      ),
      expect.stringMatching(/^rooms\[0\]\.theme\.title\.xx_1 \| "x" \| expected a language tag/),
      expect.stringMatching(/^rooms\[0\]\.theme\.fonts \| a list of 0 \| unknown key/),
      expect.stringMatching(
        /^theme\.links\[0\]\.href \| "ftp:\/\/a\.example\/" \| expected an absolute URL: https, http or mailto/,
      ),
      expect.stringMatching(/^theme\.links\[0\]\.label \| .* \| expected what the link says, at most 60 characters/),
      expect.stringMatching(/^theme\.title \| "x" \| unknown key/),
      'rooms[0].theme.logo.file | "none.svg" | there is no such file',
      'rooms[0].theme.views | "nowhere" | there is no such folder',
    ]);
    expect(await faultsOf(one({ texts: { DE: { "waiting.eyebrow": "x" } } }))).toEqual([
      expect.stringMatching(/^rooms\[0\]\.theme\.texts\.DE \| a mapping \| write de$/),
    ]);
  });

  test("colours that cannot be told apart, by day and by night, laid over those below", async () => {
    const document = {
      issuer: "https://queue.example.com",
      theme: { colors: { card: "#ffffff" } },
      rooms: [
        room("tickets", { colors: { soft: "#999999" } }),
        room("night", { colors: { dark: { ink: "#333333" } } }),
      ],
      clients: [client("shop", ["tickets", "night"], { colors: { on_accent: "#0b5d58" } }), client("app", ["night"])],
    };
    expect(await faultsOf(document)).toEqual([
      expect.stringMatching(
        /^rooms\[0\]\.theme\.colors\.soft \| "#999999" \| colours: soft \(#999999\) on paper \(#f3f1ec\) has a contrast of 2\.5\d:1; text needs at least 4\.5:1$/,
      ),
      expect.stringMatching(
        /^rooms\[0\]\.theme\.colors\.soft \| "#999999" \| colours: soft \(#999999\) on card \(#ffffff\) has a contrast of 2\.84:1; text/,
      ),
      expect.stringMatching(
        /^rooms\[1\]\.theme\.colors\.dark\.ink \| "#333333" \| dark colours: ink \(#333333\) on paper \(#11161b\)/,
      ),
      ...Array.from({ length: 7 }, () =>
        expect.stringMatching(/^rooms\[1\]\.theme\.colors(\.dark\.ink)? \| .* \| dark colours: /),
      ),
      expect.stringMatching(
        /^clients\[0\]\.theme\.colors\.on_accent \| "#0b5d58" \| colours: on_accent \(#0b5d58\) on accent \(#0b5d57\) has a contrast of 1\.00:1; text needs/,
      ),
    ]);
  });

  test.each([
    ["huge.svg", /has 40\d\d\d bytes; it stands in each page itself, so at most 32768 are taken$/],
    ["page.svg", /expected an image: SVG, PNG, WebP, JPEG or GIF$/],
    [
      "sizeless.svg",
      /does not say how wide and high the image is: give the svg element a width and height, or a viewBox$/,
    ],
    ["inline.svg", /is no image by itself: give the svg element xmlns="http:\/\/www\.w3\.org\/2000\/svg"$/],
    [".", /expected a file with an image/],
  ])("a logo in %s", async (file, message) => {
    expect(await faultsOf(one({ logo: { file, alt: "Acme" } }))).toEqual([expect.stringMatching(message)]);
  });

  test("a colour without quotes, which is a comment", async () => {
    const text = `issuer: https://queue.example.com
rooms: [{ id: tickets }]
theme:
  colors:
    accent: #8a1538
    dark:
      accent: #f2a3b8`;
    const faults = await loadConfig({ text, env }).then(
      () => [],
      ({ faults }: ConfigError) => faults.map(({ path, message }) => `${path}: ${message}`),
    );
    expect(faults).toEqual([
      expect.stringMatching(/^theme\.colors\.accent: expected a colour in .* \(in quotes: # begins a comment\)$/),
      expect.stringMatching(/^theme\.colors\.dark\.accent: expected a colour in .* \(in quotes: # begins a comment\)$/),
    ]);
  });

  test("a folder that is a file", async () => {
    expect(await faultsOf(one({ views: "logo.svg" }))).toEqual([
      'rooms[0].theme.views | "logo.svg" | expected a folder',
    ]);
  });
});

test("a logo above 4 KiB is a warning that says how much heavier each page is", async () => {
  const { warnings } = await load(one({ logo: { file: "heavy.svg", alt: "Acme" } }));
  expect(warnings).toEqual([
    expect.stringMatching(
      /^rooms\[0\]\.theme\.logo\.file: the image stands in each page itself, which grows by \d\.\d kB \(compressed\)/,
    ),
  ]);
  expect((await load(one({ logo: { file: "logo.svg", alt: "Acme" } }))).warnings).toEqual([]);
});

test("an SVG with a script in it is an image like any other: in an img element it never runs", async () => {
  const { ofRooms } = await themesOf(one({ logo: { file: "script.svg", alt: "Acme" } }));
  expect(ofRooms.get("tickets")?.logo?.image.uri).not.toMatch(/[<>"'\s]/);
});

test("the example in the docs is valid, and says what it is said to say", async () => {
  const docs = readFileSync(fileURLToPath(new URL("../../../docs/themes.md", import.meta.url)), "utf8");
  const text = /```yaml\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
  const { config, warnings } = await loadConfig({
    text,
    file: join(folder, "usher.yaml"),
    env: { ...env, FAN_CLUB_SECRET: "a-long-enough-secret" },
  });
  expect(warnings).toEqual([]);
  const { ofRooms, ofClients } = config.issuers[0]?.themes ?? {};
  expect(ofRooms?.get("tickets")?.colors?.light.accent).toBe("#8a1538");
  expect(ofClients?.get("fan-club")?.get("tickets")?.colors?.light).toMatchObject({
    accent: "#003399",
    paper: "#f4f6fb",
  });
  expect(docs).toContain((await faultsOf(one({ colors: { soft: "#999999" } })))[1]?.replaceAll(" | ", ": ") ?? "none");
});

describe("images are known by their content", () => {
  const png = (width: number, height: number) => {
    const header = Buffer.alloc(25);
    header.writeUInt32BE(13, 0);
    header.write("IHDR", 4, "latin1");
    header.writeUInt32BE(width, 8);
    header.writeUInt32BE(height, 12);
    return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), header, deflateSync("x")]);
  };
  const gif = Buffer.from([...Buffer.from("GIF89a"), 30, 0, 10, 0, 0, 0]);
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 20, 0, 60, 1, 1, 17, 0, 0, 0]);
  const webp = (kind: string, bytes: number[]) =>
    Buffer.concat([Buffer.from(`RIFF....WEBP${kind}....`), Buffer.from([...bytes, ...Array(20).fill(0)])]);

  test.each([
    ["PNG", png(300, 100), "image/png"],
    ["GIF", gif, "image/gif"],
    ["JPEG", jpeg, "image/jpeg"],
    ["lossy WebP", webp("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 30, 0, 10, 0]), "image/webp"],
    ["lossless WebP", webp("VP8L", [0x2f, 29, 0x40, 2, 0]), "image/webp"],
    ["extended WebP", webp("VP8X", [0, 0, 0, 0, 29, 0, 0, 9, 0, 0]), "image/webp"],
    [
      "SVG",
      Buffer.from(
        `\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg" width="30px" height='10' viewBox="0 0 1 1"/>`,
      ),
      "image/svg+xml",
    ],
    [
      "SVG by its box",
      Buffer.from('<svg xmlns="&ns;" width="100%" height="100%" viewBox="0,0, 30 10"/>'),
      "image/svg+xml",
    ],
  ])("%s", (_, bytes, type) => {
    expect(readImageFacts(bytes)).toEqual({ type, ratio: 3 });
    expect(toDataUri(bytes, type)).toMatch(new RegExp(`^data:${type.replace("+", "\\+")}[;,]`));
  });

  test.each([
    ["nothing", ""],
    ["text", "GIF"],
    ["half a PNG", "\x89PNG\r\n\x1a\n\x00"],
    ["half a JPEG", "\xff\xd8\xff\xe0\x00"],
    ["an empty picture", "GIF89a\x00\x00\x00\x00"],
    ["HTML with a picture in it", "<p><svg width='1' height='1'/></p>"],
  ])("%s is none", (_, text) => {
    expect(() => readImageFacts(Buffer.from(text, "latin1"))).toThrow(TypeError);
  });
});

test("an SVG in another encoding is carried as it is, byte by byte", () => {
  const text =
    '<?xml version="1.0" encoding="ISO-8859-1"?><svg xmlns="http://www.w3.org/2000/svg"><text>é</text></svg>';
  const bytes = Buffer.from(text, "latin1");
  expect(toDataUri(bytes, "image/svg+xml")).toBe(`data:image/svg+xml;base64,${bytes.toString("base64")}`);
  expect(toDataUri(Buffer.from(text), "image/svg+xml")).toContain("%C3%A9");
});

test("a file with many comments and no image is told to be none without trying all ways to read them", () => {
  const bytes = Buffer.from(`${"<!-- a -->\n".repeat(2_000)}<p>`);
  expect(() => readImageFacts(bytes)).toThrow("expected an image");
});

test.each([
  ["https://a.example/x?y#z", true],
  ["http://a.example", true],
  ["mailto:help@a.example?subject=Line", true],
  ["mailto:help", false],
  ['mailto:a@b"><script>', false],
  ["//a.example", false],
  ["/path", false],
  ["data:text/html,x", false],
  ["https://user:secret@a.example/", false],
  [" https://a.example/", false],
])("a page may link to %j: %s", (href, isAllowed) => {
  expect(pageLinkFault(href) === null).toBe(isAllowed);
});

describe("themes that links to a room may name", () => {
  const withThemes = (themes: unknown) => ({ ...one({ colors: { accent: "#8a1538" }, footer: "Acme Ltd" }), themes });
  const roomWith = (themes: unknown) => {
    const document = one({ colors: { accent: "#8a1538" }, footer: "Acme Ltd" }) as { rooms: object[] };
    return { ...document, rooms: document.rooms.map((room, index) => (index === 0 ? { ...room, themes } : room)) };
  };

  test("override the room's, by name", async () => {
    const { ofLinks, ofRooms } = await themesOf(
      roomWith({
        night: { colors: { paper: "#ffffff" }, title: "By night" },
        "day-2": { logo: { file: "./logo.svg", alt: "Acme" } },
      }),
    );
    expect([...ofLinks.keys()]).toEqual(["tickets"]);
    const named = ofLinks.get("tickets");
    expect([...(named?.keys() ?? [])]).toEqual(["night", "day-2"]);
    expect(named?.get("night")).toMatchObject({
      places: ["rooms[0].theme", "rooms[0].themes.night"],
      chosenColors: { light: { accent: "#8a1538", paper: "#ffffff" } },
      title: [{ language: null, text: "By night" }],
      footer: [{ language: null, text: "Acme Ltd" }],
    });
    expect(named?.get("day-2")?.logo?.image.ratio).toBe(3);
    expect(ofRooms.get("tickets")?.title).toBeNull();
  });

  test("are checked as all themes are, with their places", async () => {
    expect(await faultsOf(withThemes({}))).toHaveLength(1);
    const faults = await faultsOf(
      roomWith({
        pale: { colors: { soft: "#eeeeee" } },
        gone: { logo: { file: "./gone.svg", alt: "Acme" } },
        odd: { colour: "red" },
      }),
    );
    for (const place of ["themes.pale.colors.soft", "themes.gone.logo.file", "themes.odd.colour"]) {
      expect(
        faults.some((fault) => fault.startsWith(`rooms[0].${place}`)),
        place,
      ).toBe(true);
    }
    for (const name of ["No name", "-x", "", "a".repeat(33), "constructor."]) {
      expect(await faultsOf(roomWith({ [name]: {} }))).toEqual([expect.stringContaining("lower-case letters, digits")]);
    }
    expect(await faultsOf(roomWith(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`t${n}`, {}]))))).toEqual([
      expect.stringContaining("at most 20 themes"),
    ]);
    for (const wrong of ["night", 5, ["night"]]) expect(await faultsOf(roomWith(wrong))).toHaveLength(1);
  });
});
