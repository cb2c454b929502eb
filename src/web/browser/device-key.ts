/** The browser's own key (ECDSA, P-256): made once, kept in IndexedDB, and never to be read by a script; and the proofs that it signs. */

const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const [database, store, name] = ["usher", "keys", "device"];

/** Two tabs may make a key at once: the one that is kept first is that of both. @throws where the browser keeps none */
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
  // A disk that is full says so at the end: a place must not be bound to a key that is gone by then.
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
