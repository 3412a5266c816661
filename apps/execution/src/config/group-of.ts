import type { ConfigEntry } from "@crosszone/service-kit";

type WithoutGroup = ConfigEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, "group"> : never) : never;

/** Returns variables with the heading under which the documentation lists them. */
export function groupOf<const Entries extends Readonly<Record<string, WithoutGroup>>>(
  group: string,
  entries: Entries,
): { readonly [Name in keyof Entries]: Entries[Name] & { readonly group: string } } {
  const grouped = Object.entries(entries).map(([name, entry]) => [name, { ...entry, group }]);
  return Object.fromEntries(grouped) as ReturnType<typeof groupOf<Entries>>;
}
