// Long: languages and looks; the quick one has a message written, seen and shown.
import "./message.test.ts";
