// Long: each notice in each state of the room and the network; the quick ones have one of each kind.
import "./notices.test.ts";
