/**
 * What the bar counts from: the people ahead when this place was first seen in this browser, so that it goes on where
 * it was after a reload.
 */
export function firstAhead(room: string, edition: number, position: number, ahead: number): number {
  const key = `usher.first.${room}`;
  try {
    const [ofEdition, ofPosition, first] = JSON.parse(localStorage.getItem(key) ?? "[]") as number[];
    if (ofEdition === edition && ofPosition === position && first !== undefined) return first;
    localStorage.setItem(key, JSON.stringify([edition, position, ahead]));
  } catch {
    // Storage is closed to us: count from here.
  }
  return ahead;
}
