/** What esbuild is told of `usher.js`. Its members are known to the sites' own scripts, so most keep their names. */
export const bundle = {
  mangleProps: /^(unmount|written)$/,
  tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
};
