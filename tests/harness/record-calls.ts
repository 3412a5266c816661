/** The same port, and the ports in it; all that its methods are given and give back is added to `calls`, as JSON. */
export function recordCalls<Port extends object>(port: Port, calls: unknown[]): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === "object" && member !== null) return recordCalls(member, calls);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        const record = (result: unknown): void =>
          void calls.push(JSON.parse(JSON.stringify({ method: String(name), given, result })));
        const result: unknown = member.apply(target, given);
        if (result instanceof Promise) return result.then((value: unknown) => (record(value), value));
        record(result);
        return result;
      };
    },
  });
}
