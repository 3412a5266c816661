import type { Contract, NamedType, Schema } from "./contract.ts";
import { limitsText, membersTable, table, typeText } from "./describe-schema.ts";
import { readCases } from "./read-cases.ts";

/** Placed below the heading of every generated page. */
export const notice =
  "<!-- Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. -->";

/** Returns a valid case as a block of JSON. `shown` is its schema and its name. */
export function example(label: string, shown: readonly [string, string], { schemasDir }: Contract): string {
  const [schema, name] = shown;
  const found = readCases(schema, schemasDir).find((one) => one.valid && one.name === name);
  if (!found)
    throw new Error(`schemas/fixtures/${schema}.cases.json has no valid case ${name}, which the reference shows`);
  return `${label}:\n\n\`\`\`json\n${JSON.stringify(found.value, null, 2)}\n\`\`\``;
}

/** What each value of an enumeration means. */
export function meaningsTable(head: string, schema: Schema): string {
  const rows = Object.entries(schema["x-meanings"] ?? {}).map(([value, text]) => [`\`${value}\``, text]);
  return table([head, "Meaning"], rows);
}

/** One type under a heading of its own. */
export function typeSection(type: NamedType, types: NamedType[]): string {
  const { title, ref, schema } = type;
  const limits = limitsText(schema);
  const oneOf = schema.oneOf || schema.enum ? "One of " : "";
  const branches = schema.oneOf?.filter(({ properties }) => properties !== undefined) ?? [];
  const body = schema.properties
    ? [limits, membersTable(type, types)]
    : branches.length > 0
      ? branches.flatMap((branch) => [
          [`**${branch.title}**`, branch.description].filter(Boolean).join(" "),
          membersTable({ ...type, schema: branch }, types),
        ])
      : [`${oneOf}${typeText(schema, ref, types)}. ${limits}`, schema["x-meanings"] && meaningsTable("Value", schema)];
  return [`### ${title}`, schema.description, ...body].filter(Boolean).join("\n\n");
}

export function byTitle(types: Iterable<NamedType>): NamedType[] {
  return [...types].toSorted((a, b) => (a.title < b.title ? -1 : 1));
}
