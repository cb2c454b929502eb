/**
 * The public beacon: fetches the round of a chain that a draw waits for, from whoever mirrors it, and believes nobody but the
 * chain's signature. Knows no room and no draw; which round is wanted, and until when, is its caller's to say.
 */
export { createBeaconClient } from "./beacon-client.ts";
export { defaultMirrors } from "./mirror.ts";
