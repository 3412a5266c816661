const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents valid JSON with two spaces per level. Works on the text, so numbers beyond JavaScript's precision stay
 * unchanged.
 */
export function indentJson(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  let indented = "";
  let level = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? "";
    const isEmpty = "{[".includes(token) && "}]".includes(next) && next !== "";
    if ("{[".includes(token)) level += 1;
    if ("}]".includes(next) && next !== "") level -= 1;
    const breaks = !isEmpty && next !== "" && ("{[,".includes(token) || "}]".includes(next));
    indented += `${token}${token === ":" ? " " : ""}${breaks ? `\n${"  ".repeat(level)}` : ""}`;
  }
  return indented;
}

/** A parsed JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

export interface JsonMeasures {
  counts: Record<JsonKind, number>;
  /** Nesting depth of objects and arrays; 0 for a plain value. */
  depth: number;
  /** Distinct member names. */
  names: number;
}

export function kindOf(value: Json): JsonKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

/** Counts everything in a JSON value. Not recursive: parsed text may be nested 100,000 levels deep. */
export function measureJson(root: Json): JsonMeasures {
  const counts: Record<JsonKind, number> = { object: 0, array: 0, string: 0, number: 0, boolean: 0, null: 0 };
  const names = new Set<string>();
  let depth = 0;
  const open: { value: Json; level: number }[] = [{ value: root, level: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    counts[kindOf(value)] += 1;
    if (value === null || typeof value !== "object") continue;
    depth = Math.max(depth, level);
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name);
    for (const child of Object.values(value)) open.push({ value: child, level: level + 1 });
  }
  return { counts, depth, names: names.size };
}
