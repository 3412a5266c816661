import { relative } from "node:path";
import { compile } from "json-schema-to-typescript";
import { type Contract, type NamedType, resolveRef, typeAt } from "./contract.ts";
import { subschemas } from "../src/schema-graph.ts";

/**
 * Generates the TypeScript types of the whole contract, each exported under its title. One synthetic root contains them all, so
 * that no type is generated twice.
 */
export async function generateTypes({ schemas, types, schemasDir }: Contract): Promise<string> {
  const root = { title: "Contract", anyOf: types.map(({ ref }) => ({ $ref: ref })) };
  const source = await compile(root, "Contract", {
    cwd: schemasDir,
    // From memory: generated enumerations may not be written yet.
    $refOptions: {
      resolve: {
        file: {
          order: 1,
          canRead: true,
          read: ({ url }: { readonly url: string }) =>
            JSON.stringify(schemas.get(relative(schemasDir, decodeURI(url))), withoutMarks),
        },
      },
    },
    bannerComment: "",
    additionalProperties: true,
    strictIndexSignatures: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 120 },
  });
  for (const { title } of types)
    if (source.match(new RegExp(`export (?:type|interface) ${title}\\b`, "g"))?.length !== 1)
      throw new Error(`type ${title} is not declared exactly once; give its schema a title of its own`);
  const titles = new Set([...schemas.values()].flatMap((file) => [...subschemas(file)].map(([, { title }]) => title)));
  return source
    .replace(/export type Contract =[^;]*;\n/, "")
    .replace(/^export (?=(?:type|interface) (\w+))/gm, (keyword, name: string) => (titles.has(name) ? keyword : ""))
    .replace(/^\s*\/\*\*(?:(?!\*\/)[\s\S])*Contract`\.\s*\*\/\n/m, "");
}

/** With only this member, a schema of any value would become the type of an object. */
const withoutMarks = (name: string, value: unknown): unknown => (name === "x-content" ? undefined : value);

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
