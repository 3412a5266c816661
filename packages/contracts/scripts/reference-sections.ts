import type { Contract, NamedType, Schema } from "./contract.ts";
import { limitsText, membersTable, table, typeText } from "./describe-schema.ts";

/** Placed below the heading of every generated page. */
export const notice =
  "<!-- Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. -->";

/** A valid fixture as a block of JSON. */
export function example(label: string, path: string, { fixtures }: Contract): string {
  const fixture = fixtures.find((candidate) => candidate.path === path);
  if (!fixture) throw new Error(`fixtures/${path}: is missing; the reference shows it`);
  return `${label}:\n\n\`\`\`json\n${JSON.stringify(fixture.value, null, 2)}\n\`\`\``;
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
