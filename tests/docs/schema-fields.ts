import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";

const schemas = resolve(import.meta.dirname, "../../schemas");

/** A named type of a schema file. */
interface SchemaType {
  readonly title: string;
  /** Its members, such as `status yes` if it is required. */
  readonly fields: readonly string[];
  readonly values: readonly string[];
}

interface Schema {
  readonly title?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

const schemaIn = (file: string): Schema => JSON.parse(readFileSync(resolve(schemas, file), "utf8")) as Schema;

/**
 * Returns the paths of the members of a schema file, such as `task.status.state` or `message.parts[].text`, in its order. Members of
 * another file are not included.
 */
export const pathsIn = (file: string): readonly string[] => [
  ...new Set(membersOf(schemaIn(file), basename(file, ".schema.json"))),
];

function membersOf({ properties = {}, items, oneOf = [] }: Schema, path: string): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...membersOf(member, `${path}.${name}`),
  ]);
  const ofItems = items === undefined ? [] : membersOf(items, `${path}[]`);
  return [...own, ...ofItems, ...oneOf.flatMap((one) => membersOf(one, path))];
}

/** Returns the types of a schema file that have a name: its own and those within it. */
export const typesOf = (file: string): readonly SchemaType[] => namedIn(schemaIn(file));

function namedIn(schema: Schema): readonly SchemaType[] {
  const { title, properties = {}, items, oneOf = [], enum: values = [] } = schema;
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...oneOf].flatMap(namedIn);
  return title === undefined ? inner : [{ title, fields: ownFields(schema, ""), values }, ...inner];
}

function ownFields({ properties = {}, required = [] }: Schema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const [inner, suffix] = member.items ? [member.items, "[]."] : [member, "."];
    const row = `${prefix}${name} ${required.includes(name) ? "yes" : "no"}`;
    return [row, ...(inner.title === undefined ? ownFields(inner, `${prefix}${name}${suffix}`) : [])];
  });
}
