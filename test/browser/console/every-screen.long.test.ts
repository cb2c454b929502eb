// Long: each screen in each of its looks, for each role; the quick ones have two looks, and one role.
import "./every-screen.test.ts";
