import type { Feature } from "../../operate/feature.ts";

/** The recipe itself is in src/room/draw-recipe: draws are made by it, and their pages check by it, too. */
export const verifyDraw: Feature = {
  name: "verify-draw",
  about: "`usher verify-draw`: checks, without asking anybody, what a room has published of its draws",
  page: "docs/draw.md",
};
