import { type Contract, type NamedType, typeAt } from "./contract.ts";
import { localize, reachableTypes } from "../src/schema-graph.ts";

type Json = Record<string, unknown>;

/** The zone link as an OpenRPC 1.4 document: https://spec.open-rpc.org */
export function generateOpenRpc({ types, errors, methods, version }: Contract): Json {
  return {
    openrpc: "1.4.1",
    info: {
      title: "Crosszone zone link",
      version,
      description:
        "What the verification zone asks of the execution zone. JSON-RPC 2.0, one request at a time, over any transport.",
      license: { name: "Apache-2.0" },
    },
    methods: Object.entries(methods).map(([name, row]) => ({
      name,
      summary: row.summary,
      description: row.description,
      paramStructure: "by-name",
      params: describeParams(typeAt(types, row.params)),
      result: describeResult(typeAt(types, row.result)),
      errors: describeErrors(row.errors, errors),
    })),
    components: {
      schemas: Object.fromEntries(
        zoneLinkTypes({ types, methods }).map(({ title, ref, schema }) => [title, localize(schema, ref, types)]),
      ),
    },
  };
}

/** Returns the types of the envelope and of the methods, and all types that they refer to. */
export function zoneLinkTypes({ types, methods }: Pick<Contract, "types" | "methods">): NamedType[] {
  const refs = Object.values(methods).flatMap(({ params, events = params, result }) => [params, events, result]);
  const named = refs.map((ref) => typeAt(types, ref));
  const reached = reachableTypes([...types.filter(({ ref }) => ref.startsWith("jsonrpc/")), ...named], types);
  return types.filter(({ title }) => reached.has(title));
}

/** OpenRPC wants one content descriptor a member; optional ones last. */
function describeParams({ title, schema }: NamedType): Json[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => ({
      name,
      required: required.has(name),
      ...(property.description ? { description: property.description } : {}),
      schema: { $ref: `#/components/schemas/${title}/properties/${name}` },
    }))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
}

function describeResult({ title }: NamedType): Json {
  return { name: title, schema: { $ref: `#/components/schemas/${title}` } };
}

/** Kinds that share a code are one error object, its message naming them all. */
function describeErrors(kinds: string[], errors: Contract["errors"]): Json[] {
  const byCode = Map.groupBy(["parse_error", "invalid_request", ...kinds], (kind) => errors[kind]?.code);
  return [...byCode].map(([code, group]) => ({
    code,
    message: group.map((kind) => errors[kind]?.title).join(" | "),
    data: { kind: group.length === 1 ? group[0] : group },
  }));
}
