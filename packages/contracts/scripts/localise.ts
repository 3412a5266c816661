import { resolveRef, typeAt, type NamedType } from "./contract.ts";

const components = "#/components/";

/** Turns references between schema files into references between the components of one document. */
export function localise(value: unknown, from: string, types: NamedType[]): unknown {
  if (Array.isArray(value)) return value.map((item) => localise(item, from, types));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "$schema" && key !== "$id");
  return Object.fromEntries(
    members.map(([key, member]) => {
      if (key !== "$ref" || String(member).startsWith(components)) return [key, localise(member, from, types)];
      return [key, `${components}schemas/${typeAt(types, resolveRef(String(member), from)).title}`];
    }),
  );
}
