type Any = (...args: never[]) => unknown;

/** Replaces members of a module. The new ones take effect while `isOn`. */
export function replaceMembers(module: object, members: Readonly<Record<string, Any>>, isOn: () => boolean): void {
  for (const [name, member] of Object.entries(members)) {
    const real = (module as Record<string, Any>)[name];
    if (real === undefined) throw new TypeError(`no ${name} to replace`);
    const value = function (this: unknown, ...args: never[]): unknown {
      return isOn() ? member(...args) : real.apply(this ?? module, args);
    };
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(real));
    Object.defineProperty(module, name, { value, configurable: true, writable: true });
  }
}
