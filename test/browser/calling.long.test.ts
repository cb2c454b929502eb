// Long: what a browser refuses or forgets; the quick ones have a sound, a notification and the screen.
import "./calling.test.ts";
