/** The same port; all that its methods are given and give back is added to `calls`. */
export function recordCalls<Port extends object>(port: Port, calls: unknown[]): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...given: unknown[]) => {
        const result: unknown = await member.apply(target, given);
        calls.push({ method: String(name), given: structuredClone(given), result: structuredClone(result) });
        return result;
      };
    },
  });
}
