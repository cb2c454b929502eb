/** Reads the QR code in a picture of a page, as a camera would. */
import type { Browser, Page } from "playwright-core";
import { decodeQR } from "qr/decode.js";

const readPixels = `async (png) => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
  return { width, height, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}`;

export interface QrReader {
  /** @throws Error where there is none */
  read(png: Buffer): Promise<string>;
}

/** Reads with a window of its own, which closes with the browser: a page's policy may forbid what it needs. */
export async function openQrReader(browser: Browser): Promise<QrReader> {
  const page = await (await browser.newContext()).newPage();
  return { read: (png) => readQrCode(page, png) };
}

async function readQrCode(page: Page, png: Buffer): Promise<string> {
  const picture = (await page.evaluate(`(${readPixels})("${png.toString("base64")}")`)) as {
    width: number;
    height: number;
    data: string;
  };
  return decodeQR({ ...picture, data: new Uint8Array(Buffer.from(picture.data, "base64")) });
}
