/** A worker of the page of a check: does a share of the work, so that the page does not stand still. */
import { type Share, solve } from "../proof.ts";

addEventListener("message", async ({ data }: MessageEvent<Share>) => {
  try {
    postMessage(await solve(data));
  } catch (error) {
    // An error that is thrown reaches the page; a rejected promise does not.
    setTimeout(() => {
      throw error;
    });
  }
});
