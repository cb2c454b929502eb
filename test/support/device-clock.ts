/** A device whose clock is wrong, and may be set while its pages are open. To be added before the page is there. */
export function deviceClock(aheadMs: number): string {
  return `{
    const Right = Date;
    let aheadMs = ${aheadMs};
    window.setClockAhead = (ms) => { aheadMs = ms; };
    window.Date = class extends Right {
      constructor(...parts) {
        super(...(parts.length > 0 ? parts : [Right.now() + aheadMs]));
      }
      static now() {
        return Right.now() + aheadMs;
      }
    };
  }`;
}
