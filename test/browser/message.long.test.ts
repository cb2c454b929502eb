// Long: each severity on each screen, and words that are taken back; the quick one has new words, heard once.
import "./message.test.ts";
