/**
 * A template's variables, of which none may be asked for that is not there: a word misspelt would be shown as nothing. Every
 * variable is there on every page, if only as null or undefined.
 */
export function strictPage<Page extends object>(page: Page): Page {
  return guard(page, "page") as Page;
}

function guard(value: unknown, path: string): unknown {
  if (!isPlainObject(value)) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      const inner: unknown = Reflect.get(target, name, receiver);
      if (typeof name === "symbol" || name === "toJSON" || name in target)
        return guard(inner, `${path}.${String(name)}`);
      throw new ReferenceError(`${path}.${name} is not defined`);
    },
  });
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
