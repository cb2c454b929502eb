import { describeSpellings } from "./spellings.ts";

describeSpellings({});
