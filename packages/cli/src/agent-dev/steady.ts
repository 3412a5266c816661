const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?/g;

/**
 * Replaces what differs between two runs of the same conversation: UUIDs, times, and the date `day` on which it ran (`2026-03-01`). Equal
 * requests of two days have equal steady texts.
 */
export function steadyText(text: string, day: string): string {
  return text.replaceAll(uuid, "<uuid>").replaceAll(time, "<time>").replaceAll(day, "<today>");
}

/** Returns a JSON value as indented text with its members in alphabetical order, with line breaks of its strings as real ones. */
export function readable(value: unknown): string {
  return JSON.stringify(sorted(value), undefined, 2)?.replaceAll("\\n", "\n    ") ?? "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The date of a time in the form of `steadyText`. */
export const dayOf = (at: string | Date): string => new Date(at).toISOString().slice(0, 10);
