// Long: what a bad connection does more rarely, some of it in real seconds; the quick ones have errors, and no network.
import "./bad-connection.test.ts";
