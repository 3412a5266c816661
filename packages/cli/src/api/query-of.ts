/** Returns the query of a URL, including the question mark. Omits undefined members. */
export function queryOf(members: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `?${new URLSearchParams(set).toString()}`;
}
