/** The names of an option, in the order of all; all when there are none. Throws a `TypeError` when one is not known. */
export function selectNames<Name extends string>(
  only: readonly string[] | undefined,
  all: readonly Name[],
  option = "--only",
): readonly Name[] {
  if (only === undefined) return all;
  const unknown = only.find((name) => !all.some((known) => known === name));
  if (unknown !== undefined) throw new TypeError(`${option} ${unknown}: there is only ${all.join(", ")}`);
  return all.filter((name) => only.includes(name));
}
