export type ConstantList = Readonly<Record<string, { constant: unknown }>>;

/** Gives the constants of this process the values of the test that started it. Throws for a name that none of them has. */
export function setConstants(lists: readonly ConstantList[]): void {
  const entries = new Map(lists.flatMap((list) => Object.entries(list)));
  // oxlint-disable-next-line node/no-process-env -- not an app: the test that starts the process has set it
  const tuned = JSON.parse(process.env["TEST_CONSTANTS"] ?? "{}") as Record<string, unknown>;
  for (const [name, value] of Object.entries(tuned)) {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`${name} is not a constant of the zone.`);
    entry.constant = value;
  }
}
