import { describeSpellings } from "./spellings.ts";

describeSpellings({ oneIn: 5 });
