import { dirname, relative } from "node:path/posix";
import { reachableTypes } from "../../../packages/contracts/src/schema-graph.ts";
import {
  type ChannelRow,
  type Contract,
  type MethodRow,
  type NamedType,
  resolveRef,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";
import { readCases, schemaOf } from "../../../packages/contracts/src/testing/corpus.ts";
import { apiOverview, shownOperations } from "./api-reference.ts";
import { example, json, link, meaningsTable, membersTable, notice, table, typeSection } from "./reference-sections.ts";

/** docs/reference/agents.md: the channels of the bus, why agents fail, what agents are sent and how they are registered. */
export function generateAgentsReference(contract: Contract): string {
  const { agentErrors, channels } = contract;
  return `# Bus and agents reference

${notice}

How tasks reach agents of other makers: messages on a bus, requests over HTTP, and the registry that says where each agent is.

## Channels

${Object.entries(channels)
  .map(([name, row]) => channelSection(name, row, contract))
  .join("\n\n")}

## Agent errors

The \`kind\` of an ${link("AgentError")}, and whether the bridge calls the agent again by itself.

${table(
  ["Kind", "Call again?", "Title", "Meaning"],
  Object.entries(agentErrors).map(([kind, { retryable, title, description }]) => {
    return [`\`${kind}\``, retryable ? "yes" : "no", title, description];
  }),
)}

## A2A

What an agent of the protocol \`jsonrpc-2.0\` is sent is an ${link("A2AMessageSendRequest")}; the \`result\` of its answer an
${link("A2ASendResult")}. What its answer lacks beyond that is read as far as it goes.

${example("A request", ["a2a/v0.3/message-send-request", "least"], contract)}

${example("The result of an answer", ["a2a/v0.3/send-result", "task"], contract)}

## Simple A2A

What an agent of the protocol \`simple-a2a\` is sent is a ${link("SimpleA2ARequest")}; it answers with a ${link("SimpleA2AResponse")}.

${example("A request", ["simple-a2a/request", "text"], contract)}

${example("An answer", ["simple-a2a/response", "success"], contract)}

## Registry

An agent is written as ${link("AgentSettings")} and answered as an ${link("AgentRecord")}. How to move agents to another protocol, with the
command line or an ${link("AgentMigrationRequest")}: [Migrate agents](../migrate-agents.md).

${example("Settings", ["registry/agent-settings", "whole"], contract)}
`;
}

function channelSection(name: string, { topic, key, message, summary }: ChannelRow, contract: Contract): string {
  const type = typeAt(contract.types, message);
  return [
    `### ${name}`,
    `${summary} Topic \`${topic}\`, key \`${key}\`.`,
    `**Message** \`${type.title}\` ${type.schema.description ?? ""}`,
    membersTable(type, contract.types),
    example("Example", [schemaOf(type), "typical"], contract),
  ].join("\n\n");
}

/** docs/reference/protocol.md: the methods, the error catalog and the task states. `fileOf` returns the page of a method. */
export function protocolOverview(contract: Contract, fileOf: (row: MethodRow) => string): string {
  const { types, errors, methods } = contract;
  const { schema: states } = typeAt(types, "common.schema.json#/$defs/TaskState");
  const rows = Object.entries(methods).map(([name, row]) => [`[${name}](${fileOf(row)}#${name})`, row.summary]);
  return `# Protocol reference

${notice}

What the verification zone asks of the execution zone: JSON-RPC 2.0, one request at a time, over any transport.
A request is a ${link("ZoneRequest")}, the answer to it a ${link("JsonRpcResponse")} with the same \`id\`.

## Methods

${table(["Method", "What it does"], rows)}

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
`;
}

/** A method under a heading of its own, with an example. */
export function methodSection(name: string, row: MethodRow, contract: Contract): string {
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
    `## ${name}`,
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

/** What the folders of the schemas are about. Each has a page of its types, and one of its operations or methods. */
const titles: Readonly<Record<string, string>> = {
  registry: "Agents",
  mcp: "MCP servers",
  task: "Tasks",
  message: "Messages",
  input: "Input requests",
  usage: "Usage",
  workflow: "Workflows",
  run: "Runs",
  token: "Tokens",
  audit: "Audit log",
  bulk: "Bulk actions",
  hook: "Hooks",
  settings: "Settings",
  bus: "Bus",
  a2a: "A2A",
  jsonrpc: "JSON-RPC",
  common: "Common",
  conformance: "Conformance",
};

/** Runs are in the folder of workflows and messages in that of tasks, too many types for one page; the few of simple-a2a are with A2A. */
function folderOf(ref: string): string {
  if (/^workflow\/(attempts|graph|run|start-run|step-record)/.test(ref)) return "run";
  if (ref.startsWith("simple-a2a/")) return "a2a";
  return /^task\/(message|report-messages|task-life)/.test(ref) ? "message" : (/^[\w-]+/.exec(ref)?.[0] ?? "");
}
const titleOf = (ref: string): string => titles[folderOf(ref)] ?? folderOf(ref);
const fileOf = (kind: string, ref: string): string =>
  `${kind.toLowerCase()}/${titleOf(ref).toLowerCase().replaceAll(" ", "-")}.md`;

interface Section {
  /** Of what it shows; each folder of the schemas has a page. */
  readonly ref: string;
  readonly text: string;
}

function pagesOf(kind: string, sections: Iterable<Section>): [path: string, text: string][] {
  const byFolder = Map.groupBy(sections, ({ ref }) => folderOf(ref));
  return [...byFolder].map(([folder, ofFolder]) => [
    fileOf(kind, folder),
    [`# ${kind}: ${titleOf(folder)}`, notice, ...ofFolder.map(({ text }) => text)].join("\n\n"),
  ]);
}

/**
 * Returns the pages of docs/reference that the contract is the source of, by path: the HTTP API, the zone link and agents, and the types
 * that they lead to. A type is shown once, on the page of its folder.
 */
export function generateReference(contract: Contract): Map<string, string> {
  const operations = shownOperations(contract);
  const methods = Object.entries(contract.methods).map(([name, row]) => ({
    ref: row.params,
    text: methodSection(name, row, contract),
  }));
  const pages: [path: string, text: string][] = [
    ["api.md", apiOverview(operations.map((operation) => ({ ...operation, file: fileOf("api", operation.ref) })))],
    ...pagesOf("API", operations),
    ["protocol.md", protocolOverview(contract, ({ params }) => fileOf("protocol", params))],
    ...pagesOf("Protocol", methods),
    ["agents.md", generateAgentsReference(contract)],
  ];
  // The parameters of a method are shown with it.
  const types = [...reachableTypes(contract.types, contract.types).values()]
    .filter(({ ref }) => !ref.endsWith("-params.schema.json"))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1));
  pages.push(
    ...pagesOf(
      "Types",
      types.map((type) => ({ ...type, text: typeSection(type, contract.types) })),
    ),
  );
  const pageOf = new Map(types.map(({ title, ref }) => [title, fileOf("types", ref)]));
  return new Map(
    pages.map(([file, text]) => {
      const linkOf = (title: string): string => relative(dirname(file), pageOf.get(title) ?? "");
      const linked = text.replaceAll(
        /\]\(type:(\w+)\)/g,
        (_link, title: string) => `](${pageOf.get(title) === file ? "" : linkOf(title)}#${title.toLowerCase()})`,
      );
      return [`docs/reference/${file}`, linked];
    }),
  );
}
