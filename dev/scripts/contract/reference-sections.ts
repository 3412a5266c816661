import {
  type Contract,
  type NamedType,
  resolveRef,
  type Schema,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";
import { readCases } from "../../../packages/contracts/src/testing/corpus.ts";

/** Returns a schema's type in Markdown. Each named type is a link to its section. */
function typeText(schema: Schema, from: string, types: NamedType[]): string {
  const inner = (one: Schema): string => typeText(one, from, types);
  if (schema.$ref) return link(typeAt(types, resolveRef(schema.$ref, from)).title);
  if (schema.oneOf) return schema.oneOf.map(inner).join(" or ");
  if (schema.title && schema.properties) return link(schema.title);
  if ("const" in schema) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.items) return `array of ${inner(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

/** The limits of a schema as sentences. */
export function limitsText(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, pattern, format, additionalProperties } = schema;
  const sentences = [
    minLength === 1 && "Not empty.",
    maxLength !== undefined && `At most ${maxLength} characters.`,
    minimum !== undefined && `At least ${minimum}.`,
    maximum !== undefined && `At most ${maximum}.`,
    minItems !== undefined && `At least ${minItems} ${minItems === 1 ? "item" : "items"}.`,
    pattern !== undefined && `Matches \`${pattern}\`.`,
    format !== undefined && `Format: ${format}.`,
    schema["x-secret"] === true && "Secret: never logged.",
    schema["x-content"] === true && "Over the API, needs `content:read`.",
    additionalProperties === false && "Further members are refused.",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** A table of an object's members: name, required, type, description with limits. Members of an object without a name follow it. */
export function membersTable({ schema, ref }: NamedType, types: NamedType[]): string {
  const rows = memberRows(schema, "");
  return rows.length === 0 ? "No members." : table(["Member", "Required", "Type", "Description"], rows);

  function memberRows({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
    return Object.entries(properties).flatMap(([name, member]) => {
      const target = member.$ref ? typeAt(types, resolveRef(member.$ref, ref)).schema : member;
      const usual = member.default === undefined ? "" : `Default: \`${JSON.stringify(member.default)}\`.`;
      const said = [member.description ?? target.description, limitsText(member), usual];
      const description = said.filter(Boolean).join(" ");
      const [inner, suffix] = member.items ? [member.items, "[]."] : [member, "."];
      return [
        [`\`${prefix}${name}\``, required.includes(name) ? "yes" : "no", typeText(member, ref, types), description],
        ...(inner.title === undefined ? memberRows(inner, `${prefix}${name}${suffix}`) : []),
      ];
    });
  }
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A link to a type; `generateReference` knows the page that shows it. */
export function link(title: string): string {
  return `[${title}](type:${title})`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** Placed below the heading of every generated page. */
export const notice =
  "<!-- Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. -->";

/** Returns a valid case as a block of JSON. `shown` is its schema and its name. */
export function example(label: string, shown: readonly [string, string], { schemasDir }: Contract): string {
  const [schema, name] = shown;
  const found = readCases(schema, schemasDir).find((one) => one.valid && one.name === name);
  if (!found) throw new Error(`schemas/fixtures has no valid case ${name} of ${schema}, which the reference shows`);
  return json(label, found.value);
}

/** Returns a value as a block of JSON. */
export function json(label: string, value: unknown): string {
  return `${label}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
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
  const body = schema.properties
    ? [limits, membersTable(type, types)]
    : [`${oneOf}${typeText(schema, ref, types)}. ${limits}`, schema["x-meanings"] && meaningsTable("Value", schema)];
  return [`## ${title}`, schema.description, ...body].filter(Boolean).join("\n\n");
}
