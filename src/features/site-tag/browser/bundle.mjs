/** Options of esbuild for `usher.js`. Scripts of sites use its members by name, so most names are kept. */
export const bundle = {
  mangleProps: /^(unmount|written)$/,
  tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
};
