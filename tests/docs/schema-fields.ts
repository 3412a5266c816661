import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";

const schemas = resolve(import.meta.dirname, "../../schemas");

/** A member of a schema. */
interface SchemaField {
  /** Path from the name of the schema, such as `task.status.state` or `message.parts[].text`. */
  readonly path: string;
  /** Type as on a page: `string`, `2.0`, `array of part`, `any`. */
  readonly type: string;
  readonly required: boolean;
}

/** A named type of a schema file. */
interface SchemaType {
  readonly title: string;
  /** Its members, such as `status yes` if it is required. */
  readonly fields: readonly string[];
  readonly values: readonly string[];
}

interface Schema {
  readonly title?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/**
 * Returns the members of a schema file, such as `a2a/v0.3/task.schema.json`, in its order. Members of another file are
 * not included: the type is the name of that file. Of alternatives, a member is required when it is in each that has it.
 */
export function fieldsOf(file: string): readonly SchemaField[] {
  const schema = JSON.parse(readFileSync(resolve(schemas, file), "utf8")) as Schema;
  const fields = membersOf(schema, basename(file, ".schema.json"));
  const paths = [...new Set(fields.map(({ path }) => path))];
  return paths.map((path) => {
    const same = fields.filter((field) => field.path === path);
    return {
      path,
      type: [...new Set(same.map(({ type }) => type))].join(", "),
      required: same.every(({ required }) => required),
    };
  });
}

/** Returns the types of a schema file that have a name: its own and those within it. */
export function typesOf(file: string): readonly SchemaType[] {
  return namedIn(JSON.parse(readFileSync(resolve(schemas, file), "utf8")) as Schema);
}

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

function membersOf(schema: Schema, path: string): readonly SchemaField[] {
  const { properties = {}, required = [], items, oneOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    return [{ path: at, type: typeOf(member), required: required.includes(name) }, ...membersOf(member, at)];
  });
  const ofItems = items === undefined ? [] : membersOf(items, `${path}[]`);
  return [...own, ...ofItems, ...oneOf.flatMap((one) => membersOf(one, path))];
}

function typeOf({ $ref, type, const: only, enum: values, items }: Schema): string {
  if ($ref?.startsWith("../")) return "string";
  if ($ref !== undefined) return basename($ref, ".schema.json");
  if (only !== undefined) return only;
  if (values !== undefined) return values.join(", ");
  if (type === "array" && items !== undefined) return `array of ${typeOf(items)}`;
  return type ?? "any";
}
