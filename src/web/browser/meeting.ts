/**
 * Pages that a browser opens at one moment join each on its own, and show different places until they ask again: the server knows which one
 * counts. Each page tells the others of the browser what it shows. Nothing that they tell is worth a place.
 */
import { isSeen } from "./page-parts.ts";

/** One for all rooms: the event tells, not what stays. */
const key = "usher.place";

/**
 * @param line room and edition
 * @param comeAgain asks the server for this page anew
 * @returns to be called when the visitor looks: where another page has told of another place of the line meanwhile, the page comes again
 */
export function meetOthers(line: string, position: string, comeAgain: () => void): () => void {
  const place = `${line} ${position}`;
  let hasMet = false;
  const look = () => {
    if (hasMet && isSeen()) comeAgain();
  };
  addEventListener("storage", ({ key: changedKey, newValue }) => {
    if (changedKey !== key || newValue === place || !newValue?.startsWith(`${line} `)) return;
    hasMet = true;
    look();
  });
  try {
    localStorage.setItem(key, place);
  } catch {
    // Storage is closed to us: the pages show the same once they are loaded again.
  }
  return look;
}
