export const plan = {
  name: "plan",
  about: "`usher plan`: what a sale needs, and costs, before anything is there",
  page: "docs/performance.md#planning",
};
