/** Message encryption for Web Push (RFC 8291), in one record of the content encoding aes128gcm (RFC 8188). */
import { createCipheriv, createECDH, hkdfSync } from "node:crypto";

const recordBytes = 4_096;
/** Push services take 4,096 bytes; header, padding delimiter and tag are 103 of them. */
export const plainBytesMax = 3_993;

/** A browser's keys of a subscription, as bytes. */
export interface SubscriptionKeys {
  /** The uncompressed point, 65 bytes. */
  readonly p256dh: Buffer;
  /** 16 bytes. */
  readonly auth: Buffer;
}

/** What is chosen at random for each message. */
export interface MessageSecrets {
  readonly privateKey: Buffer;
  /** 16 bytes. */
  readonly salt: Buffer;
}

/** @throws Error for a key that is no point of the curve; RangeError for a text that is too long */
export function encrypt(
  text: Buffer,
  { p256dh, auth }: SubscriptionKeys,
  { privateKey, salt }: MessageSecrets,
): Buffer {
  if (text.length > plainBytesMax) throw new RangeError(`a notification of ${text.length} bytes is too long`);
  const ephemeral = createECDH("prime256v1");
  ephemeral.setPrivateKey(privateKey);
  const publicKey = ephemeral.getPublicKey();
  const shared = ephemeral.computeSecret(p256dh);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, publicKey]);
  const material = derive(shared, auth, keyInfo, 32);
  const key = derive(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // 2: the last record.
  const sealed = Buffer.concat([cipher.update(text), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  return Buffer.concat([salt, size, Buffer.of(publicKey.length), publicKey, sealed]);
}

function derive(material: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", material, salt, info, bytes));
}
