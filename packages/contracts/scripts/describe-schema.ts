import { resolveRef, typeAt, type NamedType, type Schema } from "./contract.ts";

/** Returns a schema's type in Markdown. Each named type is a link to its section. */
export function typeText(schema: Schema, from: string, types: NamedType[]): string {
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
    additionalProperties === false && "Further members are refused.",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** A table of an object's members: name, required, type, description with limits. */
export function membersTable({ schema, ref }: NamedType, types: NamedType[]): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return "No members.";
  const rows = members.map(([name, member]) => {
    const target = member.$ref ? typeAt(types, resolveRef(member.$ref, ref)).schema : member;
    const description = [member.description ?? target.description, limitsText(member)].filter(Boolean).join(" ");
    return [`\`${name}\``, required.has(name) ? "yes" : "no", typeText(member, ref, types), description];
  });
  return table(["Member", "Required", "Type", "Description"], rows);
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A link to a heading of the same page. */
export function link(title: string): string {
  return `[${title}](#${title.toLowerCase()})`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
