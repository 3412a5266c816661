import { compile } from "json-schema-to-typescript";
import { relative } from "node:path";
import type { Contract } from "./contract.ts";
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
            JSON.stringify(schemas.get(relative(schemasDir, decodeURI(url)))),
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
