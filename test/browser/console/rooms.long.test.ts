// Long: sessions, processes and stores that end; the quick one has live rooms.
import "./rooms.test.ts";
