/** Whatever Markdown an operator, or somebody with an operator's key, writes: no page can get more out of it than words, lists, links and images. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imagesIn, type MarkdownNode, readMarkdown } from "../../../../src/config/index.ts";
import { imageOrigins, markdownHtml } from "../../../../src/web/pages/render/while-waiting-page.ts";

const htmlOf = (text: string) => markdownHtml(readMarkdown(text).nodes);
const faultsOf = (text: string) => readMarkdown(text).faults;
/** The longest text of a setting. */
const longest = 3_000;

describe("Markdown", () => {
  test("has headings, paragraphs, lists, emphasis, links, images and rules, and line breaks", () => {
    const text = [
      "# On *stage*",
      "The [band](https://a.example/x?y=1&z=2) plays  \n**at eight**.",
      "2. one\n3. two\n   - in it",
      '![The _hall_](https://img.example/hall.jpg "640x360")',
      "---",
      "<https://b.example/>",
    ].join("\n\n");
    expect(faultsOf(text)).toEqual([]);
    const opens = 'target="_blank" rel="noopener noreferrer"';
    expect(htmlOf(text)).toBe(
      [
        "<h2>On <em>stage</em></h2>",
        `<p>The <a href="https://a.example/x?y=1&amp;z=2" ${opens}>band</a> plays<br><strong>at eight</strong>.</p>`,
        '<ol start="2"><li>one</li><li>two<ul><li>in it</li></ul></li></ol>',
        '<p><img src="https://img.example/hall.jpg" alt="The hall" width="640" height="360" loading="lazy" decoding="async" referrerpolicy="no-referrer"></p>',
        `<hr><p><a class="alone" href="https://b.example/" ${opens}>https://b.example/</a></p>`,
      ].join(""),
    );
  });

  test("the highest heading is the page's second, the others follow it", () => {
    expect(htmlOf("### a\n\n##### b\n\n### c")).toBe("<h2>a</h2><h3>b</h3><h2>c</h2>");
    expect(htmlOf([1, 2, 3, 4, 5, 6].map((level) => `${"#".repeat(level)} x`).join("\n"))).toMatch(
      /<h6>x<\/h6><h6>x<\/h6>$/,
    );
  });

  test("an image that does not say its size is kept room for one that is wide", () => {
    expect(imagesIn(readMarkdown("![x](https://a.example/x.png)").nodes)).toMatchObject([
      { width: 1_600, height: 900 },
    ]);
  });

  test("the origins of its images are told, each once", () => {
    const { nodes } = readMarkdown(
      "![a](https://a.example/1.png) ![b](https://a.example/2.png)\n\n- ![c](https://b.example:8443/)\n\n![d](http://localhost:3000/x.png)",
    );
    expect(imageOrigins(nodes)).toEqual(["https://a.example", "https://b.example:8443", "http://localhost:3000"]);
  });
});

describe("what is no link or image is a fault that names its line", () => {
  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java&Tab;script:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://a.example/1)",
    "[x](mailto:a@b.example)",
    "[x](/rooms/tickets/leave)",
    "[x](//evil.example)",
    "[x](https://user:secret@a.example/)",
    "[x](https:\\\\evil.example)",
    "<javascript:alert(1)>",
    "<a@b.example>",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "[r]\n\n[r]: <data:text/html,x>",
    "[](https://a.example)",
    "[&#32;](https://a.example)",
    "![x](http://a.example/x.png)",
    "![x](data:image/png;base64,AAAA)",
    "![x](/assets/x.png)",
    "![](https://a.example/x.png)",
    "![ ](https://a.example/x.png)",
    `![${"x".repeat(301)}](https://a.example/x.png)`,
    '![x](https://a.example/x.png "A picture")',
    '![x](https://a.example/x.png "0x100")',
    '![x](https://a.example/x.png "10001x1")',
    // In a policy, what follows the semicolon would be a directive of its own.
    "![x](https://a.example;sandbox/x.png)",
    "![x](https://a.example,b.example/x.png)",
    "![x](https://'none'/x.png)",
    "![x](https://*.example/x.png)",
    "![x](https://[2001:db8::1]/x.png)",
  ])("%s", (text) => {
    const faults = faultsOf(`First line.\n\n${text}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^line 3: the (link to|image) /);
    expect(htmlOf(text)).not.toMatch(/<(a|img)\b(?![^>]*(href|src)="https:\/\/a\.example)/);
  });

  test("all of them are told at once, and no more than anybody reads", () => {
    expect(faultsOf("[a](x:1)\n\n[b](y:1)")).toHaveLength(2);
    expect(faultsOf(Array.from({ length: 100 }, (_, n) => `[a](x:${n})`).join(" "))).toHaveLength(20);
  });

  test("as are more images than anybody looks at, and a text of which nothing is seen", () => {
    expect(faultsOf("![x](https://a.example/x.png) ".repeat(13))).toEqual(["expected at most 12 images"]);
    expect(faultsOf("![x](https://a.example/x.png) ".repeat(12))).toEqual([]);
    expect(faultsOf("[r]: https://a.example")).toEqual(["expected words or an image"]);
    expect(faultsOf("---")).toEqual(["expected words or an image"]);
  });
});

describe("HTML in it is text", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<p id=enter class=card style='position:fixed'>x</p>",
    "<!-- x --><style>*{display:none}</style>",
    "<svg><a xlink:href=javascript:alert(1)>x</a></svg>",
    "</div></aside><h1>It is your turn</h1>",
    "**<b onmouseover=alert(1)>x</b>**",
    '[x<i id="a">](https://a.example/"onclick="alert(1))',
    "![<b>\"'](https://a.example/x.png)",
    "# <h1 id=x>",
    "- <li value=3>",
  ])("%s", (text) => {
    const html = htmlOf(text);
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !isKnownTag(tag))).toEqual([]);
    expect(html).not.toMatch(/<[^>]*\s((id|style|on\w+)=|class=(?!"alone"))/i);
  });
});

/** Every tag that can come out, with every attribute. */
const isKnownTag = (tag: string) =>
  /^<\/?(h[2-6]|p|ul|ol|li|strong|em|a)>$/.test(tag) ||
  /^<(br|hr)>$/.test(tag) ||
  /^<ol start="\d+">$/.test(tag) ||
  /^<a( class="alone")? href="https?:\/\/[^"<>]+" target="_blank" rel="noopener noreferrer">$/.test(tag) ||
  /^<img src="https?:\/\/[^"<>]+" alt="[^"<>]+" width="\d+" height="\d+" loading="lazy" decoding="async" referrerpolicy="no-referrer">$/.test(
    tag,
  );

test("of any text whatever, no other tag comes out, and they are balanced", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        "# ",
        "- ",
        "1. ",
        "\n",
        "\n\n",
        "    ",
        "*",
        "**",
        "_",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "<",
        ">",
        '"',
        "'",
        "&",
      ],
      ...[
        "javascript:",
        "data:",
        "https://a.example/",
        "//",
        "\\",
        "`",
        "---",
        "=",
        "[r]: ",
        "[r]",
        "&#x3c;",
        "&quot;",
        "\u0000",
      ],
      ...["<script>", "onload=", "\u202e", "{x}", "|", "~~", "> ", "<https://b.example>", '"2x3"'],
    ),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const html = htmlOf(pieces.join(""));
      const open: string[] = [];
      for (const [tag] of html.matchAll(/<[^>]*>/g)) {
        expect(isKnownTag(tag), tag).toBe(true);
        const name = /^<\/?(\w+)/.exec(tag)?.[1] ?? "";
        if (tag.startsWith("</")) expect(open.pop()).toBe(name);
        else if (!["br", "hr", "img"].includes(name)) open.push(name);
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

describe("the longest texts that are made to take long", () => {
  const patterns = [
    ...[
      "[",
      "![",
      "*a_ ",
      "<",
      "[a](",
      "[a][",
      "&",
      "\\",
      "**a",
      "_a*",
      "[](",
      "1. ",
      "# ",
      "(((",
      "<a@",
      "a\n=\n",
      "![[](",
    ],
    ...["[a]: b\n", "- a\n", "- ", "  - a\n", "*".repeat(50), "[a\n", "&#x;", '[a](b "', "![a](b '"],
  ];
  test.each(patterns)("%j again and again is read in a moment", (pattern) => {
    const text = pattern.repeat(Math.ceil(longest / pattern.length)).slice(0, longest);
    const { user, system } = process.cpuUsage();
    htmlOf(text);
    const used = process.cpuUsage();
    expect((used.user - user + used.system - system) / 1_000).toBeLessThan(500);
  });

  test.each([
    ["lists", `${"- ".repeat(longest / 2 - 1)}x`],
    [
      "lists by their columns",
      Array.from({ length: 60 }, (_, n) => `${" ".repeat(2 * n)}- x`)
        .join("\n")
        .slice(0, longest),
    ],
    ["emphasis", `${"*a ".repeat(500)}x${" a*".repeat(500)}`],
  ])("%s in each other end at a fault, not at the end of the stack", (_, text) => {
    const { faults, nodes } = readMarkdown(text);
    expect(faults.join()).toMatch(/nested in each other|^$/);
    expect(depthOf(nodes)).toBeLessThan(20);
  });

  function depthOf(nodes: readonly MarkdownNode[]): number {
    return Math.max(
      0,
      ...nodes.map((node) => (typeof node === "object" && "children" in node ? 1 + depthOf(node.children) : 1)),
    );
  }
});
