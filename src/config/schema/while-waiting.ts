/** What visitors may read while they wait, below all that the waiting page is for: of a room, or of the theme of its pages. */
import { orOff } from "./fields.ts";
import { markdown, wordsByLanguage } from "./words-by-language.ts";

const LENGTH_MAX = 3_000;
/** In all languages together: each process reads a room's settings every second. */
const TOTAL_LENGTH_MAX = 15_000;
const EXAMPLE = '{ en: "Doors at seven", de: "Einlass um sieben" }';

const texts = () => wordsByLanguage({ ...markdown("a text", LENGTH_MAX), totalLengthMax: TOTAL_LENGTH_MAX }, EXAMPLE);

/** Of a theme. */
export const whileWaiting = texts();

/** Of a room, which can say that there is none, whatever the theme has. */
export const roomWhileWaiting = orOff(texts(), EXAMPLE, true);
