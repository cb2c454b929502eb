/** Reads the QR code in a picture of a page, as a camera would. */
import type { Browser } from "playwright-core";
import { decodeQR } from "qr/decode.js";

const readPixels = `async (png) => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
  return { width, height, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}`;

/** @throws Error where there is none */
export async function readQrCode(browser: Browser, png: Buffer): Promise<string> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const picture = (await page.evaluate(`(${readPixels})("${png.toString("base64")}")`)) as {
      width: number;
      height: number;
      data: string;
    };
    return decodeQR({ ...picture, data: new Uint8Array(Buffer.from(picture.data, "base64")) });
  } finally {
    await context.close();
  }
}
