import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ConfigError, contrastOf } from "../../../../src/config/index.ts";
import { completeColors } from "../../../../src/config/themes/theme-colors.ts";
import { type Accept, type Notice, readPageLocales, type Theme } from "../../../../src/web/pages/index.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";
import { words } from "../../../support/page-gallery.ts";
import { gzip, htmlOf, makePages, makeView, makeVisitor, plain } from "./support.ts";

const pages = makePages();
const german = { gzip: false, language: "de" };
const image = (name: string) => ({ uri: `data:image/svg+xml,${name}`, ratio: 2.5 });

function themed(changes: Partial<Theme>): Theme {
  return { logo: null, colors: null, title: null, texts: [], links: [], footer: null, viewsDir: null, ...changes };
}
const text = (value: string, language: string | null = null) => ({ language, text: value });
const waiting = (theme: Theme | undefined, accept: Accept = plain) =>
  htmlOf(pages.waiting(makeView({ theme }), makeVisitor(), accept));
const notice = (theme: Theme | undefined, changes: Partial<Notice> = {}, accept: Accept = plain) =>
  htmlOf(pages.notice({ code: "room_full", values: { room: "Autumn tour" }, theme, ...changes }, accept));

const logo = {
  image: image("logo"),
  darkImage: null,
  alt: [text("Acme", "en"), text("Akme", "de")],
  height: 40,
  link: null,
};
const colors = completeColors({ light: { accent: "#8a1538", paper: "#fffaf0" }, dark: { accent: "#f2a3b8" } });
const everything = themed({
  logo: { ...logo, darkImage: image("dark"), link: "https://acme.example/?a=1&b=2" },
  colors,
  title: [text("Autumn tour 2030", "en"), text("Herbsttour 2030", "de")],
  texts: [
    { language: "en", path: "waiting.eyebrow", text: "Foyer", where: "theme.texts.en" },
    { language: "de", path: "waiting.eyebrow", text: "Wandelhalle", where: "theme.texts.de" },
    {
      language: "en",
      path: "notices.room_full.paragraphs",
      text: ["Sold & full, {room}.", "Come back."],
      where: "theme.texts.en",
    },
  ],
  links: [
    { href: "https://acme.example/help", label: [text("Help", "en"), text("Hilfe", "de")] },
    { href: "mailto:help@acme.example", label: [text("Mail")] },
  ],
  footer: [text("Acme Ltd\nLondon")],
});

describe("a logo", () => {
  test("stands above the page, with the size that it will have and what it says", () => {
    const html = waiting(themed({ logo }));
    expect(html).toContain(
      '<header class="brand">\n<picture><img src="data:image/svg+xml,logo" alt="Acme" width="100" height="40"></picture>\n</header>',
    );
    expect(html.indexOf('<header class="brand">')).toBeLessThan(html.indexOf("<main"));
    expect(waiting(themed({ logo }), german)).toContain('alt="Akme"');
    expect(notice(themed({ logo }))).toContain('alt="Acme"');
  });

  test("may be another on dark ground, and lead somewhere beside the page", () => {
    const html = waiting(everything);
    expect(html).toContain('<a href="https://acme.example/?a=1&amp;b=2" target="_blank" rel="noopener"><picture>');
    expect(html).toContain('<source media="(prefers-color-scheme: dark)" srcset="data:image/svg+xml,dark">');
  });
});

describe("colours", () => {
  test("stand behind the stylesheet, by day and by night, and in the page's head", () => {
    const html = waiting(themed({ colors }));
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
    expect(style).toMatch(/:root\{--paper:#fffaf0;[^}]*--accent:#8a1538;--on-accent:#ffffff;/);
    expect(style).toMatch(/@media \(prefers-color-scheme:dark\)\{:root\{[^}]*--accent:#f2a3b8;/);
    expect(style.indexOf("--accent:#0b5d57")).toBeLessThan(style.indexOf("--accent:#8a1538"));
    expect(html).toContain('media="(prefers-color-scheme: light)" content="#fffaf0"');
    expect(html).toContain(`media="(prefers-color-scheme: dark)" content="${colors.dark.paper}"`);
    expect(html).toContain("fill='%238a1538'");
    expect(notice(themed({ colors }))).toContain("--accent:#8a1538");
  });

  test.each(["#8a1538", "#767676", "#c75b00", "#ffd400", "#737373"])("of the door with %s are told apart", (accent) => {
    const html = waiting(themed({ colors: completeColors({ light: { accent }, dark: {} }) }));
    const door = /\[data-state="turn"\] \.card\{([^}]*--on-accent:#\w+;background[^}]*)\}/.exec(html)?.[1] ?? "";
    const colorOf = (name: string) => new RegExp(`--${name}:(#\\w+)`).exec(door)?.[1] ?? "";
    expect(contrastOf(colorOf("ink"), accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(colorOf("soft"), accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(colorOf("edge"), accent)).toBeGreaterThanOrEqual(3);
    expect(contrastOf(colorOf("accent"), colorOf("line"))).toBeGreaterThanOrEqual(3);
  });

  test("of the door that opens are the accent's", () => {
    expect(waiting(themed({ colors }))).toMatch(
      /\[data-state="turn"\] \.card\{[^}]*--accent:#ffffff;--on-accent:#8a1538;background:#8a1538;color:#ffffff\}/,
    );
  });
});

describe("the title of a theme", () => {
  test("is the room's on its pages, by language, and stays whatever the status says", () => {
    const html = waiting(everything);
    expect(html).toContain('<bdi id="room">Autumn tour 2030</bdi>');
    expect(html).toContain("<title>411 ahead – Autumn tour 2030</title>");
    expect(liveOf(html)).toMatchObject({ room: "Autumn tour 2030", isRenamed: true });
    expect(waiting(everything, german)).toContain('<bdi id="room">Herbsttour 2030</bdi>');
    expect(notice(everything, {}, german)).toContain("Herbsttour 2030");
  });

  test("is not made up where a page speaks of no room, and a room without one calls itself", () => {
    expect(notice(everything, { code: "not_found", values: {} })).not.toContain("Autumn tour 2030");
    expect(liveOf(waiting(themed({ colors })))).not.toHaveProperty("isRenamed");
    expect(waiting(themed({ colors }))).toContain('<bdi id="room">Autumn tour</bdi>');
  });
});

describe("texts", () => {
  test("are laid over the page's language, in its templates and for its script", () => {
    expect(waiting(everything)).toContain('<p class="eyebrow">Foyer</p>');
    expect(waiting(everything, german)).toContain('<p class="eyebrow">Wandelhalle</p>');
    expect(waiting(everything, { gzip: false, language: "fr" })).not.toMatch(/Foyer<|Wandelhalle/);
    expect(notice(everything)).toContain("Sold &amp; full, Autumn tour 2030.");
    const held = themed({ texts: [{ language: "en", path: "waiting.live.titles.turn", text: "Go!", where: "x" }] });
    expect(liveOf(waiting(held))).toMatchObject({ texts: { titles: { turn: "Go!" } } });
  });

  test("leave pages of other themes alone", () => {
    expect(waiting(undefined)).toContain('<p class="eyebrow">Waiting room</p>');
    expect(waiting(themed({}))).toContain('<p class="eyebrow">Waiting room</p>');
  });

  test("are checked like the operator's files, with their place in the configuration", () => {
    const where = "rooms[0].theme.texts.de";
    const own = (path: string, value: unknown, language = "de") => ({ language, path, text: value, where });
    const texts = [
      own("waiting.eyebro", "x"),
      own("waiting.updated", "Stand"),
      own("waiting.live.ahead", { other: "{n}" }),
      own("waiting.eyebrow", 5),
      own("waiting.live", {}),
      own("notices.left.tone", "done"),
      own("waiting.eyebrow", "x", "tlh"),
      own("waiting.check", "Nachsehen"),
    ];
    const faults = faultsOf([themed({ texts }), themed({ texts: texts.slice(0, 1) })]);
    expect(faults).toEqual([
      "rooms[0].theme.texts.de.waiting.eyebro: unknown text, did you mean waiting.eyebrow?; expected the place of a text in views/locales/en.json, such as waiting.eyebrow",
      "rooms[0].theme.texts.de.waiting.updated: lacks {time}",
      'rooms[0].theme.texts.de.waiting.live.ahead: expected the plural forms of "de": one, other; missing: one',
      "rooms[0].theme.texts.de.waiting.eyebrow: expected text",
      expect.stringMatching(/^rooms\[0\]\.theme\.texts\.de\.waiting\.live: unknown text/),
      expect.stringMatching(/^rooms\[0\]\.theme\.texts\.de\.notices\.left\.tone: unknown text/),
      expect.stringMatching(/^rooms\[0\]\.theme\.texts\.de: no such language; there are ar, /),
    ]);
  });

  function faultsOf(themes: Theme[]): string[] {
    try {
      readPageLocales(viewsDir, { themes });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map(({ path, message }) => `${path}: ${message}`);
    }
    return [];
  }
});

describe("the foot", () => {
  test("has the links, which open beside the page, and the words, in one footer with the chooser", () => {
    const html = waiting(everything);
    expect(html).toContain('<li><a href="https://acme.example/help" target="_blank" rel="noopener">Help</a></li>');
    expect(html).toContain('<li><a href="mailto:help@acme.example">Mail</a></li>');
    expect(html).toContain('<p class="imprint" dir="auto">Acme Ltd\nLondon</p>');
    expect(html.match(/<footer class="languages">/g)).toHaveLength(1);
    expect(html).toContain('action="/language"');
    expect(waiting(everything, german)).toContain(">Hilfe</a>");
  });

  test("stands on pages without a chooser as well", () => {
    expect(notice(everything)).toContain("Acme Ltd");
    expect(notice(everything)).not.toContain('action="/language"');
    expect(notice(undefined)).not.toContain("<footer");
  });

  test("says in which language it is where that is another", () => {
    const theme = themed({
      footer: [text("Impressum", "de")],
      links: [{ href: "https://a.example/", label: [text("Hilfe", "de")] }],
    });
    expect(waiting(theme)).toContain('<p class="imprint" lang="de" dir="auto">');
    expect(waiting(theme)).toContain('<a href="https://a.example/" lang="de"');
    expect(waiting(theme, german)).toContain('<p class="imprint" dir="auto">');
  });
});

test.each([everything, themed({ colors }), themed({ logo }), themed({ title: [text("x")] }), undefined])(
  "the policy allows exactly the page's own style (%#)",
  (theme) => {
    const rendered = [
      pages.waiting(makeView({ theme }), makeVisitor(), plain),
      pages.notice({ code: "not_found", theme }, plain),
      pages.notice({ code: "not_open", theme, message: words("x") }, plain),
    ];
    for (const page of rendered) {
      const html = htmlOf(page);
      const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(page.contentSecurityPolicy).toContain(`style-src 'sha256-${hash}';`);
      expect(html).not.toMatch(/\sstyle=|\son\w+=/);
    }
  },
);

test("gzip and plain carry the same page, and the same object is not compiled again", () => {
  const view = makeView({ theme: everything });
  expect(htmlOf(pages.waiting(view, makeVisitor(), gzip))).toBe(htmlOf(pages.waiting(view, makeVisitor(), plain)));
  expect(htmlOf(pages.waiting(view, makeVisitor({ ahead: 1 }), plain))).toContain("1 person ahead of you");
});

test("a page without a theme has none of its rules, and one with colours alone none for logos", () => {
  expect(waiting(undefined)).not.toMatch(/\.brand|\.imprint|class="links"/);
  expect(waiting(themed({ colors }))).not.toContain(".brand");
  expect(waiting(themed({ logo }))).toContain(".brand");
});

describe("words of a theme stay words", () => {
  const evil = `</title></style></script><script>alert(1)</script>"'><img src=x onerror=alert(1)>{n}{room}$&`;
  const hostile = themed({
    logo: {
      ...logo,
      alt: [text(evil)],
      image: { uri: `data:image/svg+xml,${evil}`, ratio: 2 },
      link: `https://a.example/${evil}`,
    },
    title: [text(evil)],
    texts: [{ language: "en", path: "waiting.eyebrow", text: evil, where: "x" }],
    links: [{ href: `https://a.example/${evil}`, label: [text(evil, 'en"><u>')] }],
    footer: [text(evil)],
  });
  const harmless = themed({
    logo: { ...logo, link: "https://a.example/" },
    title: [text("x")],
    links: [{ href: "https://a.example/", label: [text("x", "fr")] }],
    footer: [text("x")],
  });
  const tagsOf = (html: string) => html.match(/<[a-z/!]\w*/g) ?? [];

  test.each([
    ["waiting page", waiting],
    ["notice", notice],
  ])("on a %s", (_, render) => {
    const html = render(hostile);
    expect(tagsOf(html)).toEqual(tagsOf(render(harmless)));
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
  });

  test("and the data for the script ends where it should", () => {
    expect(liveOf(waiting(hostile))).toMatchObject({ room: evil });
  });
});

test("pages of the same theme share what is compiled; another theme has its own", () => {
  const own = makePages({ themes: [everything] });
  const policies = [everything, everything, themed({ colors })].map(
    (theme) => own.waiting(makeView({ theme }), makeVisitor(), plain).contentSecurityPolicy,
  );
  expect(policies[0]).toBe(policies[1]);
  expect(policies[0]).not.toBe(policies[2]);
});

function liveOf(html: string): Record<string, unknown> {
  const json = /<script type="application\/json" id="live">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  return JSON.parse(json) as Record<string, unknown>;
}
