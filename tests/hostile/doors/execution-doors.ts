import { readFileSync } from "node:fs";
import { readCases } from "@crosszone/contracts/corpus";
import { apiFrame, apiSources } from "@crosszone/contracts/openapi";
import { type Door, jsonDoor, readingDoor, type Sendable } from "./door.ts";
import { forms, jsonBodies, sampleOf, schemaAt } from "./growths.ts";

type Members = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

/** What a request needs to reach the zone, and what there is. */
export interface Zone {
  readonly url: string;
  readonly askUrl: string;
  readonly linkToken: string;
  /** Returns a token with every scope, each time another, because each has a rate limit. */
  readonly token: () => string;
  /** Members of samples that name what exists. */
  readonly known: Members;
  readonly hooks: readonly string[];
  readonly hookSecret: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
}

/** Returns valid samples of a schema, the two largest, which name what exists. A definition has a step of each kind. */
function samplesOf(schema: string, known: Members): unknown[] {
  const valid = readCases(schema).flatMap(({ valid: isValid, value }) => (isValid ? [value] : []));
  const largest = valid.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length).slice(0, 2);
  const steps = schema === "workflow/definition" ? samplesOfSteps() : {};
  return largest.map((value) => naming({ ...(value as object), ...steps }, known));
}

const samplesOfSteps = (): Members => {
  const valid = readCases("workflow/step").flatMap((one) => (one.valid ? [one.value as Members] : []));
  return {
    steps: Object.fromEntries(valid.map((step, at) => [`s${at}`, { ...step, id: `s${at}` }])),
    start_step: "s0",
  };
};

const naming = (value: unknown, known: Members): unknown => {
  if (Array.isArray(value)) return value.map((one) => naming(one, known));
  if (typeof value !== "object" || value === null) return value;
  const named = ([name, member]: [string, unknown]) => [
    name,
    typeof known[name] === typeof member ? known[name] : naming(member, known),
  ];
  return Object.fromEntries(Object.entries(value).map((entry) => named(entry)));
};

/** Returns a door for each operation of the API: its path, its query, its headers and its body. */
function* apiDoors({ url, token, known }: Zone): Generator<Door> {
  for (const source of [apiFrame, ...Object.values(apiSources)])
    for (const [template, path] of Object.entries(source.paths))
      for (const [method, operation] of Object.entries(path) as [string, Members][]) {
        if (method === "parameters") continue;
        const parameters = ([path["parameters"], operation["parameters"]].flat() as (Parameter | undefined)[])
          .filter((one) => one !== undefined)
          .map((one) => (one.$ref === undefined ? one : namedParameter(one.$ref, source.components)));
        const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(known[name] ?? "unknown")),
        );
        const to = (): Sendable => ({
          method: method.toUpperCase(),
          url: `${url}/api/v1${at}`,
          headers: { authorization: `Bearer ${token()}`, accept: "application/json" },
        });
        const name = `${method.toUpperCase()} /api/v1${template}`;
        const { content = {} } = (operation["requestBody"] ?? {}) as {
          readonly content?: Record<string, { schema: Members }>;
        };
        const doors = Object.entries(content).flatMap(([type, { schema }]) => {
          const file =
            typeof schema["$ref"] === "string" ? schemaAt(schema["$ref"], source.path).file : undescribed(template);
          return samplesOf(file.replace(".schema.json", ""), known).map((sample, at) =>
            jsonDoor(`${name} ${type} ${at}`, (body) => withBody(to(), type, body), {
              sample,
              schemas: [schemaAt(file)],
            }),
          );
        });
        const named = (where: string) => parameters.filter((one) => one.in === where).map((one) => one.name);
        yield readingDoor(name, doors[0]?.plain ?? to, { query: named("query"), headers: named("header") });
        yield* doors;
      }
}

/** The schema of what a body without one is a part of. */
const undescribed = (template: string): string =>
  template.startsWith("/workflows") ? "workflow/definition.schema.json" : "registry/agent-settings.schema.json";

const namedParameter = (ref: string, own: Members): Parameter => {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const all = { ...(apiFrame.components["parameters"] as object), ...(own["parameters"] as object) };
  return (all as Record<string, Parameter>)[name] as Parameter;
};

const withBody = (to: Sendable, type: string, body: string): Sendable => ({
  ...to,
  body,
  headers: { ...to.headers, "content-type": type },
});

const rpc = (method: string, params: unknown): object => ({ jsonrpc: "2.0", id: crypto.randomUUID(), method, params });

/** Returns a door for each method of the zone link. */
function* linkDoors({ url, linkToken, known }: Zone): Generator<Door> {
  const headers = { authorization: `Bearer ${linkToken}`, accept: "application/json, text/event-stream" };
  const to: Sendable = { method: "POST", url: `${url}/rpc`, headers };
  for (const [method, { params }] of Object.entries(schemaAt("methods.json").schema) as [string, { params: string }][])
    for (const [at, sample] of samplesOf(params.replace(".schema.json", ""), known).entries())
      yield jsonDoor(`zone link ${method} ${at}`, (body) => withBody(to, "application/json", body), {
        sample,
        schemas: [schemaAt(params)],
        wrap: (value) => rpc(method, value),
      });
}

/** The methods of A2A 1.0 and 0.3, as the package that serves them has them. */
const a2aMethods = [
  ...readFileSync(new URL("../../../packages/a2a/src/version.ts", import.meta.url), "utf8").matchAll(
    /^  \["\w+", "(\w+)", (?:"([\w/]+)"|undefined)\],$/gm,
  ),
].map(([, ...names]) => names);

/** Returns a door for each method of A2A in both versions. Each gets the members of all of them. */
function* a2aDoors({ askUrl, token, known }: Zone): Generator<Door> {
  for (const [at, version] of ["1.0", "0.3"].entries())
    for (const { [at]: method } of a2aMethods) {
      if (method === undefined) continue;
      const isOld = version === "0.3";
      const file = { bytes: "QUFB", raw: "QUFB", name: "a.txt", mimeType: "text/plain" };
      const parts = isOld
        ? [
            { kind: "text", text: "2+2" },
            { kind: "data", data: { a: [1] } },
            { kind: "file", file },
          ]
        : [{ text: "2+2" }, { data: { a: [1] } }, { raw: "QUFB", filename: "a.txt", mediaType: "text/plain" }];
      const message = {
        kind: "message",
        role: isOld ? "user" : "ROLE_USER",
        messageId: "m",
        contextId: "c",
        parts,
        metadata: { m: { n: "x" } },
        extensions: ["urn:x"],
        referenceTaskIds: ["t"],
      };
      const sample = {
        message,
        id: known["task_id"],
        taskId: known["task_id"],
        pageToken: "t",
        metadata: { m: "x" },
        configuration: { acceptedOutputModes: ["text/plain"], blocking: false, returnImmediately: true },
      };
      const sent = (body: string): Sendable => ({
        method: "POST",
        url: `${askUrl}/a2a/builtin/`,
        headers: { authorization: `Bearer ${token()}`, "content-type": "application/json", "a2a-version": version },
        body,
      });
      yield jsonDoor(`A2A ${version} ${method}`, sent, {
        sample,
        schemas: [],
        wrap: (value) => rpc(method, fresh(value)),
      });
    }
}

/** A message that was sent before starts nothing. */
const fresh = (value: unknown): unknown => {
  const { message } = value as { readonly message?: { readonly messageId: unknown } };
  return message?.messageId === "m"
    ? { ...(value as object), message: { ...message, messageId: crypto.randomUUID() } }
    : value;
};

/** Returns a door for each tool of the MCP server, and for the other methods that it answers. */
function* mcpDoors({ askUrl, token, tools, known }: Zone): Generator<Door> {
  const at = (body: string): Sendable => ({
    method: "POST",
    url: `${askUrl}/mcp`,
    headers: {
      authorization: `Bearer ${token()}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body,
  });
  const info = {
    protocolVersion: "2025-11-25",
    capabilities: { a: { b: "c" } },
    clientInfo: { name: "l", version: "1" },
  };
  const others = Object.entries({
    initialize: info,
    "tools/list": { cursor: "c" },
    ping: { a: "b" },
    "tasks/get": { taskId: known["task_id"] },
  });
  const called = tools.map(
    ({ name, inputSchema }) =>
      ["tools/call", { name, arguments: naming(sampleOf(inputSchema as Members), known), _meta: { a: "b" } }] as const,
  );
  for (const [method, sample] of [...others, ...called])
    yield jsonDoor(`MCP ${method} ${String((sample as Members)["name"] ?? "")}`, at, {
      sample,
      schemas: [],
      wrap: (value) => rpc(method, value),
    });
}

/** Returns doors for each hook: JSON, and a form. The sender holds its secret. */
function* hookDoors({ askUrl, hooks, hookSecret }: Zone): Generator<Door> {
  const sample = { title: "fix", note: "a", tags: ["a"], issue: { title: "a", labels: [{ name: "a" }] }, n: 1 };
  for (const name of hooks) {
    const at =
      (type: string) =>
      (body: string): Sendable =>
        withBody(
          { method: "POST", url: `${askUrl}/hooks/${name}`, headers: { authorization: `Bearer ${hookSecret}` } },
          type,
          body,
        );
    yield jsonDoor(`hook ${name}`, at("application/json"), { sample, schemas: [] });
    yield jsonDoor(`hook ${name} by form`, at("application/x-www-form-urlencoded"), {
      sample: "a=1",
      schemas: [],
      bodies: forms,
    });
  }
}

/** The doors without a document: the paths of pages and of signing in, as strangers send them. */
function* openDoors({ url, askUrl }: Zone): Generator<Door> {
  const get = [
    "/",
    "/console",
    "/console/assets/x",
    "/auth/login",
    "/auth/callback",
    "/files/czf_x",
    "/runs/x",
    "/healthz",
    "/readyz",
    "/metrics",
    "/.well-known/agent-card.json",
    "/nowhere",
  ];
  for (const path of get)
    yield readingDoor(`GET ${path}`, () => ({ method: "GET", url: url + path, headers: {} }), {
      query: ["state", "code", "return_to", "error"],
      headers: [],
    });
  for (const path of [
    "/a2a/builtin/.well-known/agent-card.json",
    "/.well-known/jwks.json",
    "/.well-known/oauth-protected-resource",
  ])
    yield readingDoor(`GET ask ${path}`, () => ({ method: "GET", url: askUrl + path, headers: {} }), {
      query: [],
      headers: [],
    });
  const form = (path: string) => (body: string) =>
    withBody({ method: "POST", url: url + path, headers: {} }, "application/x-www-form-urlencoded", body);
  for (const path of ["/auth/backchannel-logout", "/auth/logout"])
    yield jsonDoor(`POST ${path}`, form(path), {
      sample: "logout_token=a.b.c",
      schemas: [],
      bodies: { ...forms, token: (size) => `logout_token=${"a".repeat(size / 3)}.${"b".repeat(size / 3)}.c` },
    });
  for (const path of ["/rpc", "/api/v1/runs"])
    yield jsonDoor(
      `stranger at ${path}`,
      (body) => withBody({ method: "POST", url: url + path, headers: {} }, "application/json", body),
      { sample: {}, schemas: [], bodies: jsonBodies },
    );
}

/** Returns every door of execution. */
export const executionDoors = (zone: Zone): Door[] => [
  ...apiDoors(zone),
  ...linkDoors(zone),
  ...a2aDoors(zone),
  ...mcpDoors(zone),
  ...hookDoors(zone),
  ...openDoors(zone),
];
