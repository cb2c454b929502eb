/** Light and dark as the reader has it; on paper light. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --grid: #d0d7de; --bar: #2f6fb3; --limit: #b3261e; --shade: #f2d9a0; --loss: #7a3fb3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #14181d; --soft: #a3adb8; --grid: #3a424b; --bar: #6ea8e6; --limit: #ff8a80; --shade: #5a4715; --loss: #c49bf0; }
}
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --grid: #bbb; --bar: #2f6fb3; --limit: #b3261e; --shade: #f2d9a0; --loss: #7a3fb3; } section { break-inside: avoid; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 34rem; height: auto; }
@media print { svg { min-width: 0; } }
svg text { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--grid); }
.bar, .point { fill: var(--bar); }
.limit { stroke: var(--limit); stroke-width: 2; }
.shade { fill: var(--shade); }
.loss { stroke: var(--loss); stroke-width: 2; stroke-dasharray: 4 3; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-size: .9rem; }
caption { text-align: start; color: var(--soft); padding-block-end: .3rem; }
th, td { text-align: start; padding: .25rem .6rem .25rem 0; border-block-end: 1px solid var(--grid); font-weight: normal; vertical-align: top; }
thead th { font-weight: 600; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; color: var(--soft); }
`;
