// Long: a room's day in real seconds; the quick one has a room that is switched off, and notices.test.ts an opening.
import "./phases.test.ts";
