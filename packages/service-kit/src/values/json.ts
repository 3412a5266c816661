import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { canonicalJson, isObject, type JsonObject, plainJson, recordOf } from "@crosszone/contracts/json";

export { canonicalJson, isObject, type JsonObject, plainJson, recordOf };

/** Returns an own member of a JSON object, so that `constructor` is undefined in `{}`. */
export function ownMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** Returns a list member of a JSON object; an empty list for anything else. */
export function ownList(value: unknown, member: string): readonly unknown[] {
  const list = ownMember(value, member);
  return Array.isArray(list) ? list : [];
}

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
