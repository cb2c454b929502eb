/**
 * The links of the documents: every relative link of a markdown file leads to a file that exists, and its anchor to a heading
 * there; and every `docs/….md` that source, configuration or an example names exists, and so does the heading that it names there. Addresses on the network are not asked.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "artifacts", ".git", ".usher"]);
/** Where plain text names documents. */
const NAMING = /^(src|scripts|views|config|examples|deploy|test|tools|compose\.yaml$|Dockerfile$)/;
/** The texts of these speak of documents that do not exist on purpose. */
const NOT_READ = new Set(["test/unit/scripts/links.test.ts"]);

/** One line for each link that leads nowhere: `file: link: what is missing`. */
export function findBrokenLinks(root) {
  const files = filesOf(root, "");
  const anchors = new Map();
  const anchorsOf = (path) => {
    if (!anchors.has(path)) anchors.set(path, headingAnchors(readFileSync(path, "utf8")));
    return anchors.get(path);
  };
  const broken = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      linksOf(readFileSync(join(root, file), "utf8")).flatMap((link) => {
        const fault = faultOf(root, file, link, anchorsOf);
        return fault === undefined ? [] : [`${file}: ${link}: ${fault}`];
      }),
    );
  const named = files
    .filter(
      (file) => NAMING.test(file) && /\.(ts|mjs|ejs|ya?ml|json|php|md)$|Dockerfile$/.test(file) && !NOT_READ.has(file),
    )
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/(?<![\w/.-])(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g)].flatMap(
        ([link, path, anchor]) => {
          if (!existsSync(join(root, path))) return [`${file}: ${path}: no such file`];
          const isThere = anchor === undefined || anchorsOf(join(root, path)).has(anchor);
          return isThere ? [] : [`${file}: ${link}: no such heading`];
        },
      ),
    );
  return [...broken, ...named];
}

/** Whether a path leads into the folder of a feature, or of its tests, that was taken away: documents may still tell of it. */
export function isOfGoneFeature(root, path) {
  const [, name] = /^(?:src|test)\/features\/([\w-]+)(?:\/|$)/.exec(relative(root, path)) ?? [];
  return name !== undefined && !existsSync(join(root, "src/features", name));
}

/** The targets of all links and pictures, code left out. */
export function linksOf(markdown) {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...text.matchAll(/^ {0,3}\[[^\]]+\]:\s+(\S+)/gm)];
  const html = [...text.matchAll(/<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
  return [...inline, ...references, ...html].map(([, target]) => target);
}

function faultOf(root, file, link, anchorsOf) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)) return undefined;
  const [path, anchor] = link.split("#");
  const target = path === "" ? join(root, file) : resolve(root, dirname(file), decodeURIComponent(path));
  if (relative(root, target).startsWith("..")) return "outside of the repository";
  if (isOfGoneFeature(root, target)) return undefined;
  if (!existsSync(target)) return "no such file";
  if (anchor === undefined) return undefined;
  if (!target.endsWith(".md")) return "an anchor of a file that has none";
  return anchorsOf(target).has(anchor) ? undefined : "no such heading";
}

/** As GitHub makes them: lower case, punctuation dropped, blanks as dashes; a heading that comes again gets a number. */
export function headingAnchors(markdown) {
  const anchors = new Set([...markdown.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, name]) => name));
  for (const [, heading] of withoutFences(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const withoutFences = (markdown) => markdown.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2\s*$/gm, "");
const withoutCode = (markdown) => withoutFences(markdown).replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");

function filesOf(root, folder) {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (SKIPPED.has(name)) return [];
    return statSync(join(root, path)).isDirectory() ? filesOf(root, path) : [path];
  });
}
