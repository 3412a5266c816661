import { resolveRef, typeAt, type NamedType } from "./contract.ts";
import { subschemas } from "./subschemas.ts";

/** Returns the types that some types refer to, including themselves and nested ones, by title. */
export function reachableTypes(from: NamedType[], types: NamedType[]): Map<string, NamedType> {
  const found = new Map<string, NamedType>();
  const visit = (type: NamedType): void => {
    if (found.has(type.title)) return;
    found.set(type.title, type);
    for (const [, schema] of subschemas(type.schema)) {
      if (schema.$ref) visit(typeAt(types, resolveRef(schema.$ref, type.ref)));
      else if (schema.title && schema.properties) visit({ title: schema.title, ref: type.ref, schema });
    }
  };
  from.forEach(visit);
  return found;
}
