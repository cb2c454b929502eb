// Long: what the program refuses, and its logout; the quick one has the way in and the renewal.
import "./browser-application.test.ts";
