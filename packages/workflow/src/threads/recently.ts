/** Returns a memoized `make` that caches the `most` recently used values: the same object for the same text. */
export function recently<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const made = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = made.get(text) ?? { value: make(text) };
    made.delete(text);
    made.set(text, found);
    for (const [oldest] of made) {
      if (made.size <= most) break;
      made.delete(oldest);
    }
    return found.value;
  };
}
