// Long: keys of Usher's own, and roles; the quick one takes an admin key through its life.
import "./keys.test.ts";
