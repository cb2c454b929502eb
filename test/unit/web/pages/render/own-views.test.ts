import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Pages, Theme, ViewProblem } from "../../../../../src/web/pages/index.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";
import { words } from "../../../../support/page-gallery.ts";
import { htmlOf, makePages, makeView, makeVisitor, plain } from "../support.ts";

let root: string;
let folder: string;
let problems: ViewProblem[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "usher-own-views-"));
  folder = join(root, "views");
  mkdirSync(join(folder, "styles"), { recursive: true });
  problems = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const builtIn = (name: string) => readFileSync(join(viewsDir, name), "utf8");
/** A built-in template with one place changed. */
const changed = (name: string, from: string | RegExp, to: string) => {
  const text = builtIn(name);
  const next = text.replace(from, () => to);
  if (next === text) throw new Error(`${name} has no ${from}`);
  put(name, next);
};

function open(): { pages: Pages; theme: Theme } {
  const nothing = { logo: null, colors: null, title: null, texts: [], links: [], footer: null };
  const theme = { ...nothing, viewsDir: folder };
  const report = (problem: ViewProblem) => problems.push(problem);
  return { pages: makePages({ themes: [theme], report }), theme };
}
const waiting = ({ pages, theme }: ReturnType<typeof open>, changes: Parameters<typeof makeView>[0] = {}) =>
  htmlOf(pages.waiting(makeView({ theme, ...changes }), makeVisitor(), plain));
const notice = ({ pages, theme }: ReturnType<typeof open>) => htmlOf(pages.notice({ code: "left", theme }, plain));
/** The folder is not told apart from run to run. */
const told = () => problems.map(({ when, message }) => `${when}: ${message.replaceAll(folder, "views")}`);

test("an operator's own templates take the place of the built-in ones, one by one", () => {
  changed(
    "waiting.ejs",
    "<header>",
    "<header><p>Acme, <%= page.locale.number(1234.5) %>: <%= page.texts.eyebrow %></p>",
  );
  changed("layout.ejs", "<body>", '<body class="acme">');
  const opened = open();
  expect(told()).toEqual([]);
  expect(waiting(opened)).toContain("<p>Acme, 1,234.5: Waiting room</p>");
  expect(waiting(opened)).toContain('<body class="acme">');
  expect(notice(opened)).toContain('<body class="acme">');
  expect(htmlOf(opened.pages.waiting(makeView(), makeVisitor(), plain))).not.toContain("cme");
});

test("copies of all built-in templates work as they are", () => {
  for (const name of ["message", "move", "layout", "waiting", "notice"]) put(`${name}.ejs`, builtIn(`${name}.ejs`));
  const opened = open();
  expect(told()).toEqual([]);
  expect(notice(opened).replace(/\s+/g, "")).toBe(
    htmlOf(opened.pages.notice({ code: "left" }, plain)).replace(/\s+/g, ""),
  );
});

test("a template may include files of its own folder, which see what it sees and what it hands over", () => {
  changed("notice.ejs", "<main", '<%- include("parts/hello", { who: "you" }) %><main');
  mkdirSync(join(folder, "parts"));
  put("parts/hello.ejs", "<p>Hello <%= locals.who %> (<%= page.code %>)</p>");
  const opened = open();
  expect(told()).toEqual([]);
  expect(notice(opened)).toContain("<p>Hello you (left)</p>");
});

test("its message.ejs stands in the built-in pages, too", () => {
  changed("message.ejs", '<div id="words"', '<div id="words" class="acme"');
  const opened = open();
  expect(told()).toEqual([]);
  expect(waiting(opened, { message: words("x") })).toContain('<div id="words" class="acme"');
});

test("styles/extra.css stands behind all other rules, and the policy allows it", () => {
  put("styles/extra.css", ".card { border-radius: 0 }\n");
  const opened = open();
  expect(told()).toEqual([]);
  expect(waiting(opened)).toContain(".card { border-radius: 0 }</style>");
  expect(notice(opened)).toContain(".card { border-radius: 0 }</style>");
});

test("a file of a template's name in a folder of its own is itself", () => {
  changed("notice.ejs", "<main", '<%- include("parts/move") %><main');
  mkdirSync(join(folder, "parts"));
  put("parts/move.ejs", '<p>Moving</p><% if (page.message) { %><%- include("message") %><% } %>');
  const opened = open();
  expect(told()).toEqual([]);
  expect(notice(opened)).toContain("<p>Moving</p>");
});

test("files are read once: what is saved while pages are made, whole or half, changes none of them", () => {
  changed("notice.ejs", "<main", '<%- include("part") %><main');
  put("part.ejs", "<p>As tried</p>");
  const opened = open();
  put("part.ejs", "<p>As saved <%= nothing");
  put("notice.ejs", "<main>As saved</main>");
  expect(notice(opened)).toContain("<p>As tried</p>");
  rmSync(join(folder, "part.ejs"));
  expect(notice(opened)).toContain("<p>As tried</p>");
  expect(told()).toEqual([]);
});

test("the built-in pages read and compile what they include once", () => {
  const copy = join(root, "built-in");
  cpSync(viewsDir, copy, { recursive: true });
  const pages = makePages({ viewsDir: copy });
  const show = () => htmlOf(pages.notice({ code: "not_open", message: words("Back soon") }, plain));
  const before = show();
  writeFileSync(join(copy, "message.ejs"), "changed");
  expect(show()).toBe(before);
});

test("a folder with something in it that nobody may open is used", () => {
  changed("layout.ejs", "<body>", '<body class="acme">');
  const closed = join(folder, "lost+found");
  mkdirSync(closed, { mode: 0 });
  expect(notice(open())).toContain('<body class="acme">');
  chmodSync(closed, 0o700);
  expect(told()).toEqual([]);
});

test.each(["\r\n", "\r"])(
  "a stylesheet with line breaks of another kind (%j) has the hash that browsers reckon",
  (end) => {
    put("styles/extra.css", `.card {${end}border-radius: 0${end}}\0`);
    const { pages, theme } = open();
    const page = pages.notice({ code: "left", theme }, plain);
    const style = /<style>(.*?)<\/style>/s.exec(htmlOf(page))?.[1] ?? "";
    expect(style).toContain(".card {\nborder-radius: 0\n}");
    expect(style).not.toMatch(/[\r\0]/);
    expect(page.contentSecurityPolicy).toContain(createHash("sha256").update(style).digest("base64"));
  },
);

test("a mark at the beginning of a file, as some editors put there, is not shown", () => {
  put("waiting.ejs", `\uFEFF${builtIn("waiting.ejs")}`);
  const opened = open();
  expect(told()).toEqual([]);
  expect(waiting(opened)).not.toContain("\uFEFF");
});

describe("what does not work is told with file and line, and the built-in page is shown", () => {
  const spoiled: [string, () => void, RegExp][] = [
    [
      "a syntax error",
      () => put("waiting.ejs", "<main>\n\n<% if (page.view) { %>\n<% const = 1; %>\n<% } %>"),
      /^start: views\/waiting\.ejs is not used: the page "\w+" fails: views\/waiting\.ejs:4: Unexpected token/,
    ],
    [
      "a tag that is not closed",
      () => put("waiting.ejs", "<main>\n<%= page.note\n</main><p><% x %></p>"),
      /views\/waiting\.ejs:2: Could not find matching close tag/,
    ],
    [
      "a variable that is not there",
      () => changed("waiting.ejs", "<header>", "<header>\n<%= page.vew.room.title %>"),
      /fails: views\/waiting\.ejs:\d+: page\.vew is not defined$/,
    ],
    [
      "one inside another",
      () => changed("waiting.ejs", "<header>", "<header><%= page.view.room.titel %>"),
      /: page\.view\.room\.titel is not defined$/,
    ],
    ["a bare name", () => changed("waiting.ejs", "<header>", "<header><%= view2.state %>"), /: view2 is not defined$/],
    [
      "a state that makes it fail",
      () => changed("waiting.ejs", "<header>", '<header><% if (page.view.state === "paused") null.x; %>'),
      /the page "paused\w*" fails: views\/waiting\.ejs:\d+: Cannot read properties of null/,
    ],
    [
      "a file that it includes",
      () => {
        changed("waiting.ejs", "<header>", '<header><%- include("part") %>');
        put("part.ejs", "\n<%= nothing %>");
      },
      /views\/waiting\.ejs:\d+: views\/part\.ejs:2: nothing is not defined$/,
    ],
    [
      "an include that is not there",
      () => changed("waiting.ejs", "<header>", '<header><%- include("none") %>'),
      /there is no file to include: none$/,
    ],
    [
      "an include that leads out of the folder",
      () => {
        writeFileSync(join(root, "secret.ejs"), "secret");
        changed("waiting.ejs", "<header>", '<header><%- include("../secret") %>');
      },
      /an include may not lead out of its folder: \.\.\/secret$/,
    ],
    [
      "an include by its whole path",
      () => changed("waiting.ejs", "<header>", '<header><%- include("/etc/passwd") %>'),
      /there is no file to include|may not lead out of its folder/,
    ],
    [
      "an include that a link leads out with",
      () => {
        writeFileSync(join(root, "secret.ejs"), "secret");
        symlinkSync(join(root, "secret.ejs"), join(folder, "link.ejs"));
        changed("waiting.ejs", "<header>", '<header><%- include("link") %>');
      },
      /may not lead out of its folder: link$/,
    ],
    [
      "a page without the place for the script",
      () => changed("waiting.ejs", ' data-position="<%- slots.position %>"', ""),
      /lacks data-position="\d+" of the main element$/,
    ],
    [
      "the wrong state",
      () => changed("waiting.ejs", 'data-state="<%= view.state %>"', 'data-state="waiting"'),
      /lacks data-state="\w+" of the main element$/,
    ],
    ["no way in", () => changed("waiting.ejs", 'id="enter"', ""), /lacks the link id="enter"$/],
    [
      "no texts for the script",
      () => changed("waiting.ejs", 'id="live"', 'id="life"'),
      /lacks a script element: page\.script\.text, or page\.liveJson$/,
    ],
    [
      "no way to leave",
      () => changed("waiting.ejs", 'action="<%= view.leaveUrl %>"', ""),
      /lacks the form that posts to \/rooms\/\w+\/leave$/,
    ],
    [
      "a text without its value",
      () => changed("waiting.ejs", "<%= page.status %>", "<%= texts.live.serving %>"),
      /shows \{n\}$/,
    ],
    [
      "an object for a text",
      () => changed("waiting.ejs", "<%= page.status %>", "<%= texts.live.ahead %>"),
      /shows \[object Object\]$/,
    ],
    [
      "words from outside unescaped",
      () => changed("waiting.ejs", "<%= view.room.title %>", "<%- view.room.title %>"),
      /unescaped: write <%= … %>, not <%- … %>$/,
    ],
  ];

  test.each(spoiled)("%s", (_, spoil, message) => {
    spoil();
    const opened = open();
    expect(told()).toEqual([expect.stringMatching(message)]);
    expect(waiting(opened)).toBe(htmlOf(opened.pages.waiting(makeView(), makeVisitor(), plain)));
  });

  test.each([
    ["layout.ejs", "<%- page.style.text %>", "", /lacks a style element: page\.style\.text$/],
    ["layout.ejs", "<script><%- page.script.text %></script>", "", /lacks a script element: page\.script\.text/],
    [
      "layout.ejs",
      "<style><%- page.style.text %></style>",
      "<style>\n<%- page.style.text %>\n</style>",
      /has blanks or line breaks around the text of a style element, so browsers refuse it: leave them out$/,
    ],
    [
      "layout.ejs",
      "<script><%- page",
      "<script> <%- page",
      /around the text of a script element, so browsers refuse it/,
    ],
    ["layout.ejs", "<body>", "<body>\uFFFD", /shows \uFFFD: save its file as UTF-8$/],
    ["layout.ejs", "<title><%= page.title %></title>", "", /lacks the title: page\.title$/],
    ["layout.ejs", ' dir="<%= page.locale.dir %>"', "", /lacks dir="ltr" of the html element$/],
    ["layout.ejs", "<%= footer.text %>", "<%- footer.text %>", /unescaped/],
    ["layout.ejs", "<%- page.main %>", "", /lacks /],
    ["notice.ejs", '<a class="button', '<b class="button', /lacks the link to /],
    ["notice.ejs", '<input type="hidden"', "<input", /lacks the field \w+=.* of the form that posts to /],
    ["notice.ejs", '<form method="post" action="<%= href %>">', "<form>", /lacks the form that posts to /],
    [
      "message.ejs",
      '<p id="message-text" dir="auto"<% if (language) { %> lang="<%= language %>"<% } %>><%= text %>',
      "<p><%- text %>",
      /unescaped/,
    ],
    ["move.ejs", 'id="link" value', "value", /lacks the input id="link"$/],
  ])("%s without %s", (name, from, to, message) => {
    changed(name, from, to);
    open();
    expect(told()).toEqual([
      expect.stringMatching(new RegExp(`^start: views/${name} is not used: .*${message.source}`)),
    ]);
  });

  test("one template that fails leaves the others in use", () => {
    put("notice.ejs", "<% nothing %>");
    changed("layout.ejs", "<body>", '<body class="acme">');
    const opened = open();
    expect(told()).toEqual([expect.stringContaining("views/notice.ejs is not used")]);
    expect(notice(opened)).toContain('<body class="acme">');
    expect(notice(opened)).toContain('data-notice="left"');
  });

  test("a file whose name is nearly that of a template", () => {
    put("wating.ejs", "x");
    put("footer-links.ejs", "x");
    open();
    expect(told()).toEqual(["start: views/wating.ejs: no page is made with it; did you mean waiting.ejs?"]);
  });

  test("a stylesheet that would end its element, or is too large", () => {
    put("styles/extra.css", "a{}</style><script>");
    expect(waiting(open())).not.toContain("a{}");
    put("styles/extra.css", "a".repeat(33_000));
    expect(waiting(open())).not.toContain("aaaaaa");
    expect(told()).toEqual([
      "start: views/styles/extra.css is not used: holds </style or <!--, which end a stylesheet inside a page",
      expect.stringMatching(/is not used: has 33000 characters; .* at most 32768 are taken$/),
    ]);
  });

  test("a stylesheet that wants to load something is used, and told to be in vain", () => {
    put("styles/extra.css", '@import "https://a.example/x.css";\nb{background:url(data:image/png;base64,AA)}');
    expect(waiting(open())).toContain("b{background");
    expect(told()).toEqual([expect.stringMatching(/^start: views\/styles\/extra\.css: names another address/)]);
  });
});

test("a template that fails on a page nobody had foreseen is replaced by the built-in one, told once, and used for the others", () => {
  changed(
    "waiting.ejs",
    "<header>",
    '<header class="acme"><% if (page.view.room.id === "strange") page.nothing.at.all; %>',
  );
  const opened = open();
  expect(told()).toEqual([]);
  const strange = { room: { id: "strange", title: "Strange" } };
  expect(waiting(opened, strange)).toContain('data-room="strange"');
  expect(waiting(opened, strange)).not.toContain("acme");
  expect(waiting(opened)).toContain('<header class="acme">');
  expect(told()).toEqual([
    expect.stringMatching(
      /^page: views\/waiting\.ejs:\d+: Cannot read properties of undefined \(reading 'at'\); the built-in waiting\.ejs is used$/,
    ),
  ]);
});

test("a folder that is gone when pages are made is told, and the built-in pages are shown", () => {
  rmSync(folder, { recursive: true });
  expect(waiting(open())).toContain('data-position="5000"');
  expect(told()).toEqual([expect.stringMatching(/^start: views: can't be read \(ENOENT\)$/)]);
});

test("a layout that does not say that a room is for rehearsals is not used", () => {
  changed("layout.ejs", "<%= page.rehearsal %>", "");
  const opened = open();
  expect(told()).toEqual([
    expect.stringMatching(/layout\.ejs is not used: .*lacks the words of a rehearsal: page\.rehearsal$/),
  ]);
  expect(waiting(opened, { isRehearsal: true })).toContain("This is a rehearsal. Nothing is sold here.");
});
