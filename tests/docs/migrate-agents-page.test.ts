import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { AgentCard, CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task, TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { rowsAfter } from "../harness/read-page.ts";
import { fieldsOf } from "./schema-fields.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/migrate-agents.md"), "utf8");

const schemas = globSync("{simple-a2a,a2a/**}/*.schema.json", { cwd: resolve(root, "schemas") }).toSorted();
const listed = (kind: string): string[] =>
  [...page.matchAll(new RegExp(`<!-- ${kind}: (\\S+) -->`, "g"))].map(([, file = ""]) => file).toSorted();

const plain = (cell: string): string => cell.replaceAll("`", "");

describe("R10.1: the migration guide names every field of both protocols", () => {
  test("every schema has its table: those with fields, and those that list values", () => {
    const withFields = schemas.filter((file) => fieldsOf(file).length > 0);
    expect(withFields.length).toBeGreaterThan(8);
    expect(listed("fields")).toEqual(withFields);
    const choice = "a2a/v0.3/send-result.schema.json";
    expect(listed("values")).toEqual(schemas.filter((file) => !withFields.includes(file) && file !== choice));
  });

  test.each(listed("fields"))("every field of %s, with its type, and whether it is required", (file) => {
    const rows = rowsAfter(page, `fields: ${file}`);
    const shown = rows.map(([path = "", type, required]) => [plain(path), type, required]);
    expect(shown).toEqual(fieldsOf(file).map(({ path, type, required }) => [path, type, required ? "yes" : "no"]));
    expect(rows.filter((cells) => cells.some((cell) => cell === ""))).toEqual([]);
  });

  test.each(listed("values"))("every value of %s", (file) => {
    const { enum: values } = JSON.parse(readFileSync(resolve(root, "schemas", file), "utf8")) as { enum: string[] };
    expect(rowsAfter(page, `values: ${file}`).map(([value = ""]) => plain(value))).toEqual(values);
  });
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

test("R10.1: the official SDK of A2A 1.0 knows the members that the guide says are the same, and no others", () => {
  const files = listed("fields").filter((file) => file.startsWith("a2a/v0.3/"));
  const rows = files.flatMap((file) => rowsAfter(page, `fields: ${file}`));
  const claims = rows.map(([path = "", , , , v1 = ""]) => ({ path: plain(path), v1 }));
  const same = claims.filter(({ path, v1 }) => v1 === "same" && !isEnvelope(path));
  expect(same.length).toBeGreaterThan(40);
  expect(same.filter(({ path }) => !known.has(path))).toEqual([]);
  const others = claims.filter(({ path, v1 }) => v1 !== "same" && !isEnvelope(path));
  expect(others.length).toBeGreaterThan(8);
  expect(others.filter(({ path }) => known.has(path) && path !== "message.role")).toEqual([]);
  const renamed = others.flatMap(({ v1 }) =>
    [...v1.matchAll(/`(part\.\w+|supportedInterfaces\S+)`/g)].map(([, to = ""]) => to),
  );
  expect(renamed.length).toBeGreaterThan(6);
  expect(renamed.filter((to) => !known.has(to) && !known.has(`agent-card.${to}`))).toEqual([]);
});

test("R10.1: the states of A2A 1.0 are those of the official SDK", () => {
  const states = rowsAfter(page, "values: a2a/v0.3/task-state.schema.json").map(([, v1 = ""]) => plain(v1));
  expect(states.filter((state) => !(state in TaskState))).toEqual([]);
  expect(new Set(states).size).toBe(states.length);
});

const examples = globSync("examples/migration/**/*.{mjs,py,go}", { cwd: root }).toSorted();

test("R10.2: the guide shows an agent before and after its migration in three languages", () => {
  expect(examples).toHaveLength(6);
});

test.each(examples)("R10.2: the guide shows %s as it is", (file) => {
  const [, shown] = new RegExp(`<!-- ${file} -->\n\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(page) ?? [];
  expect(shown).toBe(readFileSync(resolve(root, file), "utf8"));
});
