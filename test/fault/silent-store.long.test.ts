// Long: asks for seconds, of a process; silent-store.test.ts has one of the ways, and asks three times.
import { answersLate, describeSilence, hangs } from "./silent-store.ts";

describeSilence([hangs, answersLate], { rounds: 50, asProcess: true });
