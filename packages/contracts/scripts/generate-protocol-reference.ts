import { type Contract, type MethodRow, type NamedType, resolveRef, typeAt } from "./contract.ts";
import {
  byTitle,
  example,
  json,
  link,
  meaningsTable,
  membersTable,
  notice,
  table,
  typeSection,
} from "./reference-sections.ts";
import { readCases } from "./read-cases.ts";
import { reachableTypes } from "../src/schema-graph.ts";

const envelope = ["zone-request", "response", "zone-error-data"].map((name) => `jsonrpc/${name}.schema.json`);

/** docs/reference/protocol.md: every method with an example, the error catalog, the task states and the types they use. */
export function generateProtocolReference(contract: Contract): string {
  const { types, errors, methods } = contract;
  const { schema: states } = typeAt(types, "common.schema.json#/$defs/TaskState");
  const sections = Object.entries(methods).map(([name, row]) => methodSection(name, row, contract));
  return `# Protocol reference

${notice}

What the verification zone asks of the execution zone: JSON-RPC 2.0, one request at a time, over any transport.
A request is a ${link("ZoneRequest")}, the answer to it a ${link("JsonRpcResponse")} with the same \`id\`.

## Methods

${sections.join("\n\n")}

## Errors

Clients decide by \`kind\` and \`retryable\`, never by code or message. The \`data\` of every error is a ${link("ZoneErrorData")}.

${table(
  ["Kind", "Code", "Send again?", "Message", "Meaning"],
  Object.entries(errors).map(([kind, { code, retryable, title, description }]) => {
    return [`\`${kind}\``, String(code), retryable ? "yes" : "no", title, description];
  }),
)}

${example("Example", ["jsonrpc/response", "error-invalid-params"], contract)}

## Task states

${states.description}

${meaningsTable("State", states)}

## Types

${sharedTypes(contract)
  .map((type) => typeSection(type, types))
  .join("\n\n")}
`;
}

function methodSection(name: string, row: MethodRow, contract: Contract): string {
  const { types } = contract;
  const params = typeAt(types, row.params);
  const results = branches(typeAt(types, row.result), types);
  const shown = name.replaceAll("_", "-");
  /** Returns the case with the method's name, or otherwise an envelope around `content`. */
  const inEnvelope = (label: string, schema: string, content: () => object): string =>
    readCases(schema, contract.schemasDir).some((one) => one.valid && one.name === shown)
      ? example(label, [schema, shown], contract)
      : json(label, { jsonrpc: "2.0", ...content(), id: "a7d3e519-06c2-4f8b-b1e9-5d4f3a2c7b80" });
  return [
    `### ${name}`,
    `${row.summary} ${row.description}`,
    `**Params** \`${params.title}\``,
    membersTable(params, types),
    ...(row.events === undefined ? [] : [`**Events** ${link(typeAt(types, row.events).title)}`]),
    ...results.flatMap((result, index) => [
      `**${index === 0 ? "Result" : "or"}** \`${result.title}\` ${result.schema.description ?? ""}`,
      membersTable(result, types),
    ]),
    `**Errors** ${row.errors.map((kind) => `\`${kind}\``).join(", ")}`,
    inEnvelope("Example request", "jsonrpc/zone-request", () => ({
      method: name,
      params: firstCase(row.params, contract),
    })),
    inEnvelope("Example response", "jsonrpc/response", () => ({ result: firstCase(row.result, contract) })),
  ].join("\n\n");
}

const firstCase = (path: string, { schemasDir }: Contract): unknown =>
  readCases(path.replace(".schema.json", ""), schemasDir).find(({ valid }) => valid)?.value;

/** Returns the branches of a result that is a union, otherwise the result itself. */
function branches(type: NamedType, types: NamedType[]): NamedType[] {
  return type.schema.oneOf?.map(({ $ref = "" }) => typeAt(types, resolveRef($ref, type.ref))) ?? [type];
}

/** The types that the envelope and the methods lead to, nested ones too, except those that only a method shows. */
function sharedTypes({ types, methods }: Contract): NamedType[] {
  const shown = Object.values(methods).flatMap(({ params, result }) => [
    typeAt(types, params),
    typeAt(types, result),
    ...branches(typeAt(types, result), types),
  ]);
  const events = Object.values(methods).flatMap(({ events: ref }) => (ref === undefined ? [] : [typeAt(types, ref)]));
  const found = reachableTypes([...envelope.map((ref) => typeAt(types, ref)), ...shown, ...events], types);
  const inOthers = [...found.values()].filter(({ schema }) => schema.oneOf === undefined || schema.discriminator);
  const isLinked = ({ ref, title }: NamedType): boolean =>
    inOthers.some(
      (other) => other.title !== title && JSON.stringify(other.schema).includes(ref.split("/").at(-1) ?? ref),
    );
  for (const type of shown) if (!isLinked(type)) found.delete(type.title);
  return byTitle(found.values());
}
