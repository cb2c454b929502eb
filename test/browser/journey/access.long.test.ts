// Long: each page in light and dark; the quick one goes all the way by keyboard.
import "./access.test.ts";
