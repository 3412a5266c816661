import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { ownList, ownMember, recordOf } from "@crosszone/contracts/json";

export { canonicalJson, isObject, type JsonObject, plainJson } from "@crosszone/contracts/json";
export { ownList, ownMember, recordOf };

/** Returns the version of a module's package. Pass `import.meta.url`. */
export function packageVersion(moduleUrl: string): string {
  const path = findPackageJSON(moduleUrl);
  if (path === undefined) return "unknown";
  const { version = "unknown" } = JSON.parse(readFileSync(path, "utf8")) as { readonly version?: string };
  return version;
}

/** Returns the member of an input that takes plain words: the first text that its JSON Schema requires, unless the schema names `text`. */
export function memberForWords(schema: unknown): string {
  const properties = ownMember(schema, "properties");
  const isText = (name: unknown): name is string => {
    const { type, format, enum: choices } = recordOf(ownMember(properties, String(name)));
    return type === "string" && format === undefined && choices === undefined;
  };
  return ownMember(properties, "text") === undefined ? (ownList(schema, "required").find(isText) ?? "text") : "text";
}
