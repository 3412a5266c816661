/**
 * Tells whether a parsed JSON value nests arrays and objects in more than `levels` levels. Never recurses deeper than `levels`,
 * and costs one visit a value: nothing for long strings.
 */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && deeperThan(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const member: unknown = value[key as never];
    if (typeof member === "object" && deeperThan(member, levels - 1)) return true;
  }
  return false;
}
