import { expectedText, variablesOf, type ConfigDefinition } from "./config-definition.ts";

/** One variable as documentation shows it. */
export interface ConfigRow {
  readonly name: string;
  readonly description: string;
  /** What a value looks like, in words. */
  readonly expected?: string;
  /** There is no default, and the app does not start without it. */
  readonly required: boolean;
  readonly default?: string;
  readonly example?: string;
  /** May come from `NAME_FILE` too. */
  readonly secret: boolean;
  readonly group?: string;
}

export interface ConfigSection {
  readonly title: string;
  readonly definition: ConfigDefinition;
}

/** Gives the variables of a definition in their order, for a table in the documentation. */
export function describeConfig(definition: ConfigDefinition): ConfigRow[] {
  return variablesOf(definition).map(([name, entry]) => {
    const expected = expectedText(entry.schema);
    return {
      name,
      description: entry.description,
      ...(expected === undefined ? {} : { expected }),
      required: entry.default === undefined && !entry.schema.safeParse(undefined).success,
      ...(entry.default === undefined ? {} : { default: entry.default }),
      ...(entry.example === undefined ? {} : { example: entry.example }),
      secret: entry.secret === true,
      ...(entry.group === undefined ? {} : { group: entry.group }),
    };
  });
}

/**
 * Writes the text of `.env.example`: required variables as assignments, all others commented out with their default
 * or example. A secret is left empty. A variable that two sections share is assigned once; where the second takes other values, it
 * says which.
 */
export function renderEnvExample(sections: readonly ConfigSection[]): string {
  const written = new Map<string, ConfigRow>();
  const lines: string[] = [];
  for (const { title, definition } of sections) {
    lines.push(`# ==== ${title} ====`, "");
    for (const [group, rows] of Map.groupBy(describeConfig(definition), (row) => row.group)) {
      if (group !== undefined) lines.push(`# -- ${group} --`, "");
      for (const row of rows) {
        const before = written.get(row.name);
        lines.push(...(before === undefined ? rowLines(row) : seeAbove(row, before)), "");
        written.set(row.name, row);
      }
    }
  }
  return lines.join("\n");
}

function seeAbove({ name, description, expected }: ConfigRow, before: ConfigRow): string[] {
  if (expected === before.expected) return [`# ${name}: see above.`];
  return [`# ${name}: see above, but for this zone:`, `# ${description}`, `# Expected: ${expected ?? "any text"}.`];
}

function rowLines(row: ConfigRow): string[] {
  const text = [
    row.description,
    ...(row.expected === undefined ? [] : [`Expected: ${row.expected}.`]),
    ...(row.secret ? [`Secret; or name a file in ${row.name}_FILE.`] : []),
    ...(row.secret && row.example !== undefined ? [`Example: ${row.example}`] : []),
    ...(row.required ? ["Required."] : []),
  ];
  const value = row.secret ? "" : (row.default ?? row.example ?? "");
  return [
    ...text.flatMap((sentence) => sentence.split("\n")).map((line) => `# ${line}`),
    `${row.required ? "" : "# "}${row.name}=${quoted(value)}`,
  ];
}

/** Quotes what an env file would read in another way; single quotes first, because double ones expand `\n`. */
function quoted(value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return value;
  const mark = ["'", "`", '"'].find((candidate) => !value.includes(candidate)) ?? "'";
  return `${mark}${value}${mark}`;
}
