// Long: each control and each role; the quick one pauses, and takes it back.
import "./room.test.ts";
