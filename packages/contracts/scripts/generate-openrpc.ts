import type { ErrorRow, MethodRow, NamedType, Schema } from "./read-schemas.ts";

type Json = Record<string, unknown>;

/** The zone link as an OpenRPC 1.4 document: https://spec.open-rpc.org */
export function generateOpenRpc(contract: {
  schemas: Map<string, Schema>;
  types: NamedType[];
  errors: Record<string, ErrorRow>;
  methods: Record<string, MethodRow>;
  version: string;
}): Json {
  const { schemas, types, errors, methods, version } = contract;
  const schemaAt = (path: string): Schema => {
    const schema = schemas.get(path);
    if (!schema) throw new Error(`methods.json names ${path}, which is no schema`);
    return schema;
  };

  return {
    openrpc: "1.4.1",
    info: {
      title: "Crosszone zone link",
      version,
      description: "What the verification zone asks of the execution zone. JSON-RPC 2.0, one request at a time, over any transport.",
      license: { name: "Apache-2.0" },
    },
    methods: Object.entries(methods).map(([name, row]) => ({
      name,
      summary: row.summary,
      description: row.description,
      paramStructure: "by-name",
      params: describeParams(schemaAt(row.params)),
      result: { name: schemaAt(row.result).title, schema: componentRef(schemaAt(row.result).title) },
      errors: describeErrors(row.errors, errors),
    })),
    components: {
      schemas: Object.fromEntries(types.map(({ title, ref, schema }) => [title, localise(schema, ref, types)])),
    },
  };
}

const componentRef = (title: string): Json => ({ $ref: `#/components/schemas/${title}` });

/** OpenRPC wants one content descriptor a member; optional ones last. */
function describeParams(schema: Schema): Json[] {
  const required = new Set((schema["required"] as string[] | undefined) ?? []);
  return Object.entries((schema["properties"] as Record<string, Json> | undefined) ?? {})
    .map(([name, property]) => ({
      name,
      required: required.has(name),
      ...(property["description"] ? { description: property["description"] } : {}),
      schema: { $ref: `#/components/schemas/${schema.title}/properties/${name}` },
    }))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
}

/** Kinds that share a code are one error object, its message naming them all. */
function describeErrors(kinds: string[], errors: Record<string, ErrorRow>): Json[] {
  const byCode = Map.groupBy(["parse_error", "invalid_request", ...kinds], (kind) => errors[kind]?.code);
  return [...byCode].map(([code, group]) => ({
    code,
    message: group.map((kind) => errors[kind]?.title).join(" | "),
    data: { kind: group.length === 1 ? group[0] : group },
  }));
}

/** Turns references between schema files into references between the document's components. */
function localise(value: unknown, from: string, types: NamedType[]): unknown {
  if (Array.isArray(value)) return value.map((item) => localise(item, from, types));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "$schema" && key !== "$id")
      .map(([key, member]) => [key, key === "$ref" ? localRef(String(member), from, types) : localise(member, from, types)]),
  );
}

function localRef(ref: string, from: string, types: NamedType[]): string {
  const target = new URL(ref, `schemas:/${from}`).href.slice("schemas:/".length);
  const type = types.find((candidate) => candidate.ref === target);
  if (!type) throw new Error(`${from}: ${ref} points at no schema of the contract`);
  return `#/components/schemas/${type.title}`;
}
