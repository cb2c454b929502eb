/** The key of this browser (ECDSA, P-256), created once and stored in IndexedDB, not extractable by scripts; and the proofs that it signs. */

const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const [database, store, name] = ["usher", "keys", "device"];

/** Two tabs may create a key at once: both use the one that was stored first. @throws if the browser can store none */
export async function browserKey(): Promise<CryptoKeyPair> {
  const db = await openKeys();
  const existing = await resultOf<CryptoKeyPair | undefined>(db.transaction(store).objectStore(store).get(name));
  if (existing !== undefined) return existing;
  const created = await crypto.subtle.generateKey(algorithm, false, ["sign"]);
  const writing = db.transaction(store, "readwrite");
  const keys = writing.objectStore(store);
  const since = await resultOf<CryptoKeyPair | undefined>(keys.get(name));
  if (since !== undefined) return since;
  await resultOf(keys.add(created, name));
  // A full disk is reported only when the transaction ends. Without this wait a place could be bound to a key that was never stored.
  await committed(writing);
  return created;
}

/** A DPoP proof (RFC 9449, section 4.2) for a POST to this path. */
export async function sign({ privateKey, publicKey }: CryptoKeyPair, path: string, nonce: string): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
  const claims = {
    jti: base64url(crypto.getRandomValues(new Uint8Array(12))),
    htm: "POST",
    htu: location.origin + path,
    iat: Math.floor(Date.now() / 1_000),
    nonce,
  };
  const text = [header, claims].map((part) => base64url(new TextEncoder().encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    privateKey,
    new TextEncoder().encode(text),
  );
  return `${text}.${base64url(new Uint8Array(signature))}`;
}

function openKeys(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  return resultOf(opening);
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
