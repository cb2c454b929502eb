// Long: changes, secrets, deletion and roles; the quick one makes a client.
import "./clients.test.ts";
