// Long: who is here, and a phone's screen; the quick one takes the word of two.
import "./team.test.ts";
