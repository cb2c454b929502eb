/** Run as a process of its own by key-material.test.ts: makes or reads the keys and prints their ids. */
import { loadKeyMaterial } from "../../../src/config/secrets/key-material.ts";

const [file = "", startAtMs = "0"] = process.argv.slice(2);
await new Promise((done) => setTimeout(done, Math.max(0, Number(startAtMs) - Date.now())));
const { keys, createdNow } = await loadKeyMaterial({
  keys: { tickets: [], signing: [], cookies: [] },
  secretsFile: file,
});
const ids = [...keys.tickets.map((key) => key.kid), ...keys.signing.map((key) => key.kid), ...keys.cookies];
console.log(JSON.stringify({ ids, createdNow }));
