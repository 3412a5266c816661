import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { isObject, type JsonObject } from "@crosszone/contracts/json";

export { isObject, type JsonObject };

/** Returns an own member of a JSON object, so that `constructor` is undefined in `{}`. */
export function ownMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** Returns a list member of a JSON object; an empty list for anything else. */
export function ownList(value: unknown, member: string): readonly unknown[] {
  const list = ownMember(value, member);
  return Array.isArray(list) ? list : [];
}

/**
 * Returns a JSON value as the only text that RFC 8785 allows for it: members in the order of code units, no spaces. Members that are
 * undefined are omitted. https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}

/** Returns the version of a module's package. Pass `import.meta.url`. */
export function packageVersion(moduleUrl: string): string {
  const path = findPackageJSON(moduleUrl);
  if (path === undefined) return "unknown";
  const { version = "unknown" } = JSON.parse(readFileSync(path, "utf8")) as { readonly version?: string };
  return version;
}
