import { describeSilence, hangs } from "./silent-store.ts";

describeSilence([hangs], { rounds: 3, asProcess: false });
