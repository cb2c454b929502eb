// Long: reloads by the dozen, tabs, and every way of the back button; the quick one has the whole way.
import "./let-in.test.ts";
