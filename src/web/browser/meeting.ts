/**
 * Tabs that a browser opens at the same moment each join on their own, and show different places until they reload: the server decides which one
 * counts. Each tab announces its place to the others, so that they reload. The announcement is a hint only; places come from the server alone.
 */
import { isSeen } from "./page-parts.ts";

/** One key for all rooms: tabs react to the storage event, and nobody reads the stored value. */
const key = "usher.place";

/**
 * @param line room and edition
 * @param comeAgain asks the server for this page anew
 * @returns to be called when the tab becomes visible: reloads if another tab announced a different place in this line
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
