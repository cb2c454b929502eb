/** Loads a module of scripts/lib, which is plain JavaScript so that it runs before anything is installed. */
export async function loadScript<Module>(name: string): Promise<Module> {
  return (await import(new URL(`../../scripts/lib/${name}`, import.meta.url).href)) as Module;
}
