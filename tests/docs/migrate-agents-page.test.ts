import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { AgentCard, CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task, TaskState } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import { rowsAfter } from "../harness/browser.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/migrate-agents.md"), "utf8");

const reference = ["a2a", "common"]
  .map((name) => readFileSync(resolve(root, `docs/reference/types/${name}.md`), "utf8"))
  .join("\n");

const schemas = globSync("{simple-a2a,a2a/**}/*.schema.json", { cwd: resolve(root, "schemas") }).toSorted();

const plain = (cell: string): string => cell.replaceAll("`", "");

/** A named type of a schema file. */
interface SchemaType {
  readonly title: string;
  /** Its members, such as `status yes` if it is required. */
  readonly fields: readonly string[];
  readonly values: readonly string[];
}

interface Schema {
  readonly title?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

const schemaIn = (file: string): Schema => JSON.parse(readFileSync(resolve(root, "schemas", file), "utf8")) as Schema;

/**
 * Returns the paths of the members of a schema file, such as `task.status.state` or `message.parts[].text`, in its order. Members of
 * another file are not included.
 */
const pathsIn = (file: string): readonly string[] => [
  ...new Set(membersOf(schemaIn(file), basename(file, ".schema.json"))),
];

function membersOf({ properties = {}, items, oneOf = [] }: Schema, path: string): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...membersOf(member, `${path}.${name}`),
  ]);
  const ofItems = items === undefined ? [] : membersOf(items, `${path}[]`);
  return [...own, ...ofItems, ...oneOf.flatMap((one) => membersOf(one, path))];
}

/** Returns the types of a schema file that have a name: its own and those within it. */
const typesOf = (file: string): readonly SchemaType[] => namedIn(schemaIn(file));

function namedIn(schema: Schema): readonly SchemaType[] {
  const { title, properties = {}, items, oneOf = [], enum: values = [] } = schema;
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...oneOf].flatMap(namedIn);
  return title === undefined ? inner : [{ title, fields: ownFields(schema, ""), values }, ...inner];
}

function ownFields({ properties = {}, required = [] }: Schema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const [inner, suffix] = member.items ? [member.items, "[]."] : [member, "."];
    const row = `${prefix}${name} ${required.includes(name) ? "yes" : "no"}`;
    return [row, ...(inner.title === undefined ? ownFields(inner, `${prefix}${name}${suffix}`) : [])];
  });
}

test.each(schemas)("R10.1: the reference lists every field and value of %s", (file) => {
  for (const { title, fields, values } of typesOf(file)) {
    const [, section = ""] = reference.split(new RegExp(`^(?:## ${title}|\\*\\*${title}\\*\\*.*)$`, "m"));
    const [own = ""] = section.split(/^(?:## |\*\*)/m);
    const shown = [...own.matchAll(/^\| `(\S+)` +\| (yes|no) /gm)].map(([, path, required]) => `${path} ${required}`);
    expect([title, shown]).toEqual([title, fields]);
    expect(values.filter((value) => !own.includes(`"${value}"`))).toEqual([]);
  }
});

/** Every member of a message of A2A 1.0. */
const message = {
  role: "ROLE_USER",
  messageId: "m1",
  parts: [
    { text: "hi", metadata: { a: 1 } },
    { raw: "aGk=", filename: "a.txt", mediaType: "text/plain" },
    { url: "https://example.com/a.txt" },
    { data: { a: 1 } },
  ],
  taskId: "t1",
  contextId: "c1",
  referenceTaskIds: ["t0"],
  extensions: ["https://example.com/e"],
  metadata: { a: 1 },
};
const task = {
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_WORKING", message, timestamp: "2026-01-01T00:00:00.000Z" },
  artifacts: [{ artifactId: "a1", name: "n", description: "d", parts: message.parts, metadata: { a: 1 } }],
  history: [message],
  metadata: { a: 1 },
};
const configuration = { acceptedOutputModes: ["text/plain"], returnImmediately: true };
const params = { message, configuration, metadata: { a: 1 } };
const card = {
  name: "n",
  description: "d",
  version: "1",
  provider: { organization: "o", url: "https://example.com" },
  supportedInterfaces: [{ url: "https://example.com/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  securitySchemes: { s: { httpAuthSecurityScheme: { scheme: "bearer" } } },
  securityRequirements: [{ schemes: { s: { list: ["a"] } } }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "i", name: "n", description: "d", tags: ["t"], examples: ["e"] }],
};

/** Paths of all members of a value, such as `status.state` and `parts[].text`. */
function pathsOf(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [`${at}.${name}`, ...pathsOf(member, `${at}.${name}`)]);
}

/** What the official SDK knows in A2A 1.0: it drops a member that the protocol does not have. */
const known = new Set([
  ...pathsOf(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(params)), "message-send-request.params"),
  ...pathsOf(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(params)), "").map((path) => path.slice(1)),
  ...message.parts.flatMap((_part, at) => pathsOf(partAt(at), "part")),
  ...pathsOf(Task.toJSON(Task.fromJSON(task)), "task"),
  ...pathsOf(Task.toJSON(Task.fromJSON(task)), "").map((path) => path.replace(".artifacts[]", "artifact")),
  ...pathsOf(
    GetTaskRequest.toJSON(GetTaskRequest.fromJSON({ id: "t1", historyLength: 1 })),
    "tasks-get-request.params",
  ),
  ...pathsOf(CancelTaskRequest.toJSON(CancelTaskRequest.fromJSON({ id: "t1" })), "tasks-cancel-request.params"),
  ...pathsOf(AgentCard.toJSON(AgentCard.fromJSON(card)), "agent-card"),
]);

function partAt(at: number): unknown {
  const { message: sent } = SendMessageRequest.toJSON(SendMessageRequest.fromJSON(params)) as typeof params;
  return sent.parts[at];
}

/** Of JSON-RPC, not of A2A. */
const isEnvelope = (path: string): boolean => /-request\.(jsonrpc|id|method|params)$/.test(path);

test("R10.1: the guide names exactly the members of A2A 0.3 that the official SDK of 1.0 does not know", () => {
  const renamed = new Map(rowsAfter(page, "renamed").map(([from = "", to = ""]) => [plain(from), to]));
  const ofOldVersion = schemas
    .filter((file) => file.startsWith("a2a/v0.3/"))
    .flatMap(pathsIn)
    .filter((path) => !isEnvelope(path) && path !== "message.role");
  const changed = [...renamed.keys()].filter((path) => !isEnvelope(path) && path !== "message.role");
  expect(ofOldVersion.length).toBeGreaterThan(48);
  expect(changed.toSorted()).toEqual(ofOldVersion.filter((path) => !known.has(path)).toSorted());
  const names = [...renamed.values()].flatMap((to) =>
    [...to.matchAll(/`(part\.\w+|supportedInterfaces\S+)`/g)].map(([, name = ""]) => name),
  );
  expect(names.length).toBeGreaterThan(6);
  expect(names.filter((name) => !known.has(name) && !known.has(`agent-card.${name}`))).toEqual([]);
});

test("R10.1: the states of A2A 1.0 are those of the official SDK", () => {
  const states = [...page.matchAll(/`(TASK_STATE_\w+)`/g)].map(([, state = ""]) => state);
  expect(states.length).toBeGreaterThan(3);
  expect(states.filter((state) => !(state in TaskState))).toEqual([]);
});

const examples = globSync("examples/migration/**/*.{mjs,py,go}", { cwd: root }).toSorted();

test("R10.2: the guide shows or links an agent after its migration in three languages", () => {
  expect(examples).toHaveLength(6);
  expect(examples.filter((file) => file.includes("after") && !page.includes(file))).toEqual([]);
});

test.each(examples.filter((file) => file.endsWith("after.mjs")))("R10.2: the guide shows %s as it is", (file) => {
  const [, shown] = new RegExp(`<!-- ${file} -->\n\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(page) ?? [];
  expect(shown).toBe(readFileSync(resolve(root, file), "utf8"));
});
