/**
 * The public beacon: fetches the round of a chain that a draw waits for, from any mirror, and trusts only the chain's
 * signature. Knows no room and no draw; the caller decides which round is wanted, and until when.
 */
export { createBeaconClient } from "./beacon-client.ts";
export { defaultMirrors } from "./mirror.ts";
