import { type Contract, type NamedType, resolveRef, typeAt } from "./contract.ts";
import { subschemas } from "../src/schema-graph.ts";

/**
 * Generates a validator for each type (`isTaskId`), which reads the type's schema when it is first called. A bundler keeps only
 * the validators that a program uses, those they refer to, and their schemas.
 */
export function generateValidators({ schemas, types }: Contract): string {
  const files = new Map([...schemas.keys()].map((path) => [path, `${nameOf(path)}File`]));
  return [
    'import type * as Types from "./types.ts";',
    'import { validator, type SchemaValidator } from "../validator/validator.ts";',
    ...[...files].map(([path, name]) => `import ${name} from "#schemas/${path}" with { type: "json" };`),
    "",
    ...types.map((type) => {
      const [path = "", definition] = type.ref.split("#/$defs/");
      const members = [
        `file: ${files.get(path)}`,
        ...(definition ? [`definition: "${definition}"`] : []),
        ...refsOf(type, types),
      ];
      return `export const is${type.title}: SchemaValidator<Types.${type.title}> = /* @__PURE__ */ validator({ ${members.join(", ")} });`;
    }),
    "",
  ].join("\n");
}

/** `task/task-id.schema.json` → `taskTaskId` */
function nameOf(path: string): string {
  return path.replace(".schema.json", "").replace(/[^a-zA-Z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

function refsOf({ schema, ref }: NamedType, types: NamedType[]): string[] {
  const refs = [...new Set([...subschemas(schema)].flatMap(([, { $ref }]) => $ref ?? []))];
  const rows = refs.map((one) => `"${one}": is${typeAt(types, resolveRef(one, ref)).title}`);
  return rows.length === 0 ? [] : [`refs: () => ({ ${rows.join(", ")} })`];
}
