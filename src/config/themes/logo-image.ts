/** What kind of image a file is and how wide it is, by its content: names may say what they like. */
import { isUtf8 } from "node:buffer";

export interface ImageFacts {
  /** A media type. */
  readonly type: string;
  /** Width by height. */
  readonly ratio: number;
}

/** @throws TypeError that says what is wrong */
export function readImageFacts(bytes: Buffer): ImageFacts {
  for (const [type, readSize] of kinds) {
    const size = readSize(bytes);
    if (size === null) continue;
    const [width, height] = size ?? [];
    if (width === undefined || height === undefined || !(width > 0 && height > 0)) {
      const hint = type === "image/svg+xml" ? ": give the svg element a width and height, or a viewBox" : "";
      throw new TypeError(`does not say how wide and high the image is${hint}`);
    }
    return { type, ratio: width / height };
  }
  throw new TypeError("expected an image: SVG, PNG, WebP, JPEG or GIF");
}

/** Null: not of this kind. Undefined: of this kind, and it can't be told how large. */
type Size = readonly [width: number, height: number] | null | undefined;

const kinds: readonly (readonly [type: string, readSize: (bytes: Buffer) => Size])[] = [
  ["image/png", pngSize],
  ["image/gif", gifSize],
  ["image/webp", webpSize],
  ["image/jpeg", jpegSize],
  ["image/svg+xml", svgSize],
];

/** https://www.w3.org/TR/png/#11IHDR */
function pngSize(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  return bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 18 */
function gifSize(bytes: Buffer): Size {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  return bytes.length < 10 ? undefined : [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
}

/** RFC 9649, section 2 */
function webpSize(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case "VP8X":
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    default:
      return undefined;
  }
}

/** Segments up to the start of a frame (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 3) !== "\xff\xd8\xff") return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    // C4, C8 and CC are no frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return undefined;
}

/** In an `img` element neither scripts nor addresses of an SVG image do anything. */
function svgSize(bytes: Buffer): Size {
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
  if (lengths.every((length) => length !== undefined)) return [Number(lengths[0]), Number(lengths[1])];
  const [, , width, height] = attribute("viewBox")
    .split(/[\s,]+/)
    .map(Number);
  return width === undefined || height === undefined ? undefined : [width, height];
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
