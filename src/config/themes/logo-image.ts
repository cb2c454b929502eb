/** What kind of image a file is and how wide it is, by its content: names may say what they like. */
import { isUtf8 } from "node:buffer";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";

/** What sizes of pixels are read by: only these, of all that image-size can read. */
const pixelKinds = [
  ["image/png", PNG],
  ["image/gif", GIF],
  ["image/webp", WEBP],
  ["image/jpeg", JPG],
] as const;

/** A media type, and width by height. @throws TypeError that says what is wrong */
export function readImageFacts(bytes: Buffer) {
  const [type, { width, height }] = readSize(bytes);
  if (width > 0 && height > 0) return { type, ratio: width / height };
  const hint = type === "image/svg+xml" ? ": give the svg element a width and height, or a viewBox" : "";
  throw new TypeError(`does not say how wide and high the image is${hint}`);
}

const unknownSize = { width: 0, height: 0 };

function readSize(bytes: Buffer): readonly [type: string, size: typeof unknownSize] {
  for (const [type, { validate, calculate }] of pixelKinds) {
    try {
      if (validate(bytes)) return [type, calculate(bytes)];
    } catch {
      // Of this kind, and broken: what its reader says is not for an operator.
      return [type, unknownSize];
    }
  }
  const size = svgSize(bytes);
  if (size === null) throw new TypeError("expected an image: SVG, PNG, WebP, JPEG or GIF");
  return ["image/svg+xml", size];
}

/** Null for no SVG. In an `img` element neither scripts nor addresses of one do anything. image-size takes HTML with an SVG in it for one, and knows no commas. */
function svgSize(bytes: Buffer): typeof unknownSize | null {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const root =
    /^(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)*<svg\b((?:[^>"']|"[^"]*"|'[^']*')*)>/i.exec(
      text,
    )?.[1];
  if (root === undefined) return null;
  if (!/\sxmlns\s*=/.test(root)) {
    throw new TypeError('is no image by itself: give the svg element xmlns="http://www.w3.org/2000/svg"');
  }
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(root)?.[1]?.trim() ?? "";
  const lengths = [attribute("width"), attribute("height")].map((length) => /^[\d.]+(?=(px)?$)/.exec(length)?.[0]);
  const isTold = lengths.every((length) => length !== undefined);
  const [width = 0, height = 0] = (
    isTold
      ? lengths
      : attribute("viewBox")
          .split(/[\s,]+/)
          .slice(2)
  ).map(Number);
  return { width, height };
}

/**
 * The image as an address that pages carry in themselves. Text is written so that it still compresses; in another encoding than
 * UTF-8, which an XML file may name, it stays as it is.
 */
export function toDataUri(bytes: Buffer, type: string): string {
  if (type !== "image/svg+xml" || !isUtf8(bytes)) return `data:${type};base64,${bytes.toString("base64")}`;
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  const written = encodeURIComponent(text).replace(/%(2F|3A|3D|2C|3B)/g, (code) => decodeURIComponent(code));
  return `data:${type},${written.replaceAll("'", "%27")}`;
}
