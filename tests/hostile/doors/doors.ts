/**
 * The doors of both zones, and how what comes through each can grow, as the zones themselves describe them: the API's document, the methods of the
 * zone link and of A2A, the tools of the MCP server, the hooks in force; with the schemas and the valid cases of the contract.
 */
import { createHmac, randomUUID } from "node:crypto";
import { readCases } from "@crosszone/contracts/corpus";
import { apiFrame, apiSources } from "@crosszone/contracts/openapi";
import type { DevSlack } from "@crosszone/dev-slack";
import {
  bodyDoor,
  type Door,
  formType,
  found,
  jsonType,
  posting,
  readingDoor,
  type Sendable,
  sourcesOf,
} from "./door.ts";
import { bodies, forms, type Members, sampleOf, schemaAt } from "./growths.ts";

/** What a sender needs to know of both zones. Can be sent to another process. */
export interface Zones {
  readonly url: string;
  readonly askUrl: string;
  readonly verificationUrl: string;
  readonly linkToken: string;
  /** API tokens, used in turn, because each has a rate limit. */
  readonly tokens: readonly string[];
  /** Members of samples that name what exists. */
  readonly known: Members;
  readonly hooks: readonly string[];
  readonly hookSecret: string;
  readonly signingSecret: string;
  readonly workspace: DevSlack["workspace"];
  readonly tools: readonly { readonly name: string; readonly inputSchema: Members }[];
}

const rpc = (method: string, params: unknown): object => ({ jsonrpc: "2.0", id: randomUUID(), method, params });

/** Returns valid samples of a schema, the two largest, which name what exists. A definition has a step of each kind. */
function samplesOf(schema: string, known: Members): unknown[] {
  const valid = (name: string) => readCases(name).flatMap((one) => (one.valid ? [one.value] : []));
  const largest = valid(schema).toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
  const steps = valid("workflow/step").map((step, at) => [`s${at}`, { ...(step as object), id: `s${at}` }]);
  const more = schema === "workflow/definition" && { start_step: "s0", steps: Object.fromEntries(steps) as object };
  return largest.slice(0, 2).map((value) => naming({ ...(value as object), ...more }, known));
}

const naming = (value: unknown, known: Members): unknown => {
  if (Array.isArray(value)) return value.map((one) => naming(one, known));
  if (typeof value !== "object" || value === null) return value;
  const named = Object.entries(value).map(([name, one]) => {
    return [name, typeof known[name] === typeof one ? known[name] : naming(one, known)] as const;
  });
  return Object.fromEntries(named);
};

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Members }>> };
}

/** Returns doors for each operation of the API: its path, its query, its headers, and each form of its body. */
function* apiDoors({ url, known }: Zones, token: () => string): Generator<Door> {
  const shared = apiFrame.components["parameters"] as Readonly<Record<string, Parameter>>;
  for (const { paths, path: file, components } of [apiFrame, ...Object.values(apiSources)])
    for (const [template, { parameters: ofPath = [], ...methods }] of Object.entries(paths))
      for (const [method, { parameters: own = [], requestBody }] of Object.entries(
        methods as Record<string, Operation>,
      )) {
        const all = { ...shared, ...components["parameters"] } as typeof shared;
        const named = (where: string): string[] =>
          [...(ofPath as readonly Parameter[]), ...own].flatMap((one) => {
            const { in: place, name } =
              one.$ref === undefined ? one : (all[one.$ref.split("/").at(-1) ?? ""] as Parameter);
            return place === where ? [name] : [];
          });
        const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (known[name] ?? "unknown") as string);
        const name = `${method.toUpperCase()} /api/v1${template}`;
        const sent = (type: string) =>
          posting(
            `${url}/api/v1${at}`,
            () => ({ authorization: `Bearer ${token()}`, ...(type !== "" && { "content-type": type }) }),
            method.toUpperCase(),
          );
        const doors = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
          const { $ref: ref } = schema as { readonly $ref?: string };
          // A body that no schema describes is a part of these.
          const usual = template.startsWith("/workflows") ? "workflow/definition" : "registry/agent-settings";
          const schemas = [schemaAt(ref ?? `../${usual}.schema.json`, file)];
          const samples = samplesOf(schemas[0]?.file.replace(".schema.json", "") ?? "", known);
          return samples.map((sample, number) =>
            bodyDoor(`${name} ${type} ${number}`, sent(type), { sample, schemas }),
          );
        });
        const plain = doors[0]?.plain ?? (() => sent("")(""));
        const query = named("query");
        yield {
          ...readingDoor(name, plain, { query, headers: named("header") }),
          operation: { template, method, query },
        };
        yield* doors;
      }
}

function* linkDoors({ url, linkToken, known }: Zones): Generator<Door> {
  const sent = posting(`${url}/rpc`, () => ({ ...jsonType, authorization: `Bearer ${linkToken}` }));
  const methods = schemaAt("methods.json").schema as Readonly<Record<string, { readonly params: string }>>;
  for (const [method, { params }] of Object.entries(methods))
    for (const [at, sample] of samplesOf(params.replace(".schema.json", ""), known).entries()) {
      const wrap = (value: unknown): object => rpc(method, value);
      yield bodyDoor(`zone link ${method} ${at}`, sent, { sample, schemas: [schemaAt(params)], wrap });
    }
}

/** The rows of methods in the package that serves A2A: `["send", "SendMessage", "message/send"]`. */
const a2aMethods = found(
  sourcesOf("packages/a2a/src/version.ts"),
  /^ {2}\["\w+", "(\w+)", (?:"([\w/]+)"|undefined)\],$/gm,
);

/** Returns a door for each method of both versions of A2A. Each gets the members of all methods. */
function* a2aDoors({ askUrl, known }: Zones, token: () => string): Generator<Door> {
  const raw = { raw: "QUFB", filename: "a.txt", mediaType: "text/plain" };
  const file = { kind: "file", file: { bytes: "QUFB", name: "a.txt", mimeType: "text/plain" } };
  const versions = {
    "1.0": { role: "ROLE_USER", parts: [{ text: "2+2" }, { data: { a: [1] } }, raw] },
    "0.3": {
      kind: "message",
      role: "user",
      parts: [{ kind: "text", text: "2+2" }, { kind: "data", data: { a: 1 } }, file],
    },
  };
  const more = { contextId: "c", metadata: { m: { n: "x" } }, extensions: ["urn:x"], referenceTaskIds: ["t"] };
  const configuration = { acceptedOutputModes: ["text/plain"], blocking: false, returnImmediately: true };
  for (const [at, [version, form]] of Object.entries(versions).entries())
    for (const { [at + 1]: method } of a2aMethods) {
      if (method === undefined) continue;
      const headers = () => ({ ...jsonType, "a2a-version": version, authorization: `Bearer ${token()}` });
      const task = { id: known["run_id"], taskId: known["run_id"], pageToken: "t" };
      const sample = { message: { messageId: "m", ...form, ...more }, configuration, ...task, metadata: { m: "x" } };
      // A message that was sent before starts nothing.
      const wrap = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(rpc(method, value)).replace('"messageId":"m"', `"messageId":"${randomUUID()}"`));
      yield bodyDoor(`A2A ${version} ${method}`, posting(`${askUrl}/a2a/builtin/`, headers), { sample, wrap });
    }
}

/** Returns a door for each tool of the MCP server, and for the other methods that it answers. */
function* mcpDoors({ askUrl, tools, known }: Zones, token: () => string): Generator<Door> {
  const protocolVersion = "2025-11-25";
  const headers = () => ({ ...jsonType, authorization: `Bearer ${token()}`, "mcp-protocol-version": protocolVersion });
  const clientInfo = { name: "l", version: "1" };
  const others = {
    initialize: { protocolVersion, capabilities: { a: { b: "c" } }, clientInfo },
    "tools/list": { cursor: "c" },
    ping: { a: "b" },
    "tasks/get": { taskId: known["run_id"] },
    "tasks/update": { taskId: known["run_id"], inputResponses: { a: { action: "accept", content: { a: "b" } } } },
  };
  const called = tools.map(({ name, inputSchema }) => {
    return ["tools/call", { name, arguments: naming(sampleOf(inputSchema), known), _meta: { a: "b" } }] as const;
  });
  for (const [method, sample] of [...Object.entries(others), ...called]) {
    const name = "name" in sample ? sample.name : "";
    const wrap = (value: unknown): object => rpc(method, value);
    yield bodyDoor(`MCP ${method} ${name}`, posting(`${askUrl}/mcp`, headers), { sample, wrap });
  }
}

/** Returns doors for each hook: JSON, and a form. The sender holds its secret. */
function* hookDoors({ askUrl, hooks, hookSecret }: Zones): Generator<Door> {
  const sample = { title: "fix", note: "a", tags: ["a"], issue: { title: "a", labels: [{ name: "a" }] }, n: 1 };
  for (const name of hooks) {
    const sent = (type: object) =>
      posting(`${askUrl}/hooks/${name}`, () => ({ ...type, authorization: `Bearer ${hookSecret}` }));
    yield bodyDoor(`hook ${name}`, sent(jsonType), { sample });
    yield bodyDoor(`hook ${name} by form`, sent(formType), { sample: "a=1", others: forms });
  }
}

/** Where the routes without a document are, by the path at which they are mounted. */
const mounted = {
  "/auth": "apps/execution/src/doors/sign-in/*.ts",
  "": "apps/execution/src/doors/create-http-app.ts",
  "/ask": "apps/execution/src/doors/create-ask-app.ts",
};
const otherPaths = "/ /files/czf_x /readyz /metrics /console/assets/x /nowhere /.well-known/agent-card.json".split(" ");

/** Returns the doors that need no token: pages, signing in, health and cards, and what strangers send to the others. */
function* openDoors({ url, askUrl }: Zones): Generator<Door> {
  const query = ["state", "code", "return_to", "error"];
  const token = (size: number): string => `logout_token=${"a".repeat(size / 3)}.${"b".repeat(size / 3)}.c`;
  const routes = Object.entries(mounted).flatMap(([prefix, file]) =>
    found(sourcesOf(file), /\b(?:app|router)\s*\.(get|post)\(\s*\[?"(\/[^"]*)"/g).map(([, method = "", path = ""]) => {
      return [method.toUpperCase(), prefix === "/ask" ? askUrl + path : url + prefix + path] as const;
    }),
  );
  for (const [method, at] of [...routes, ...otherPaths.map((path) => ["GET", url + path] as const)]) {
    const sent = posting(at, () => (method === "GET" ? {} : formType), method);
    const name = `stranger ${method} ${new URL(at).pathname}`;
    yield readingDoor(name, () => sent(""), { query });
    if (method === "POST") yield bodyDoor(name, sent, { sample: "a=1", others: { ...forms, token } });
  }
  const closed = [
    `${url}/rpc`,
    `${url}/api/v1/runs`,
    ...["mcp", "a2a/builtin/", "hooks/text"].map((at) => `${askUrl}/${at}`),
  ];
  for (const at of closed)
    yield bodyDoor(
      `stranger POST ${at}`,
      posting(at, () => jsonType),
      { sample: {} },
    );
}

/** How many messages were made up. */
let messages = 0;

/** Returns the doors of verification: what Slack sends, in each of its forms, and what strangers do. */
function* slackDoors({ verificationUrl, signingSecret, workspace: { app, team, users } }: Zones): Generator<Door> {
  const url = `${verificationUrl}/slack/events`;
  const signed = (type: Sendable["headers"]) => (body: string) => {
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac("sha256", signingSecret).update(`v0:${at}:${body}`).digest("hex");
    const headers = { ...type, "x-slack-request-timestamp": at, "x-slack-signature": `v0=${signature}` };
    return { method: "POST", url, headers, body };
  };
  const payload = (body: string): Sendable =>
    signed(formType)(body.startsWith("{") ? `payload=${encodeURIComponent(body)}` : body);
  const { id: user = "" } = users.find(({ id }) => id !== app.bot_user_id) ?? {};
  const [home, elements] = [{ team_id: team.id }, [{ type: "text", text: "2+2" }]];
  const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
  const message = { type: "message", channel: "D1", channel_type: "im", user, ts: "1.1", text: "2+2", blocks };
  const files = [{ id: "F1", name: "a", mimetype: "text/plain", size: 1, title: "a" }];
  const attachments = [{ text: "a", title: "b", fields: [{ title: "a", value: "b" }], blocks }];
  const event = { ...message, attachments, files, edited: { user, ts: "1.2" } };
  const sample = { type: "event_callback", api_app_id: app.app_id, ...home, authorizations: [home], event };
  // Each message is another one.
  const wrap = (value: unknown): unknown => {
    messages += 1;
    const ts = `${Math.floor(Date.now() / 1_000)}.${String(messages).padStart(6, "0")}`;
    return JSON.parse(JSON.stringify({ ...(value as object), event_id: ts }).replaceAll('"1.1"', `"${ts}"`));
  };
  yield bodyDoor("Slack event", signed(jsonType), { sample, wrap });
  const who = { channel: { id: "D1" }, user: { id: user, ...home }, team: { id: team.id }, api_app_id: app.app_id };
  const actions = [{ action_id: "a", block_id: "b", type: "button", value: "v", action_ts: "1.1" }];
  const state = { values: { b: { a: { type: "plain_text_input", value: "x" } } } };
  const view = { id: "V1", callback_id: "c", private_metadata: "m", state };
  const others = { ...bodies, ...forms };
  yield bodyDoor("Slack press", payload, { sample: { type: "block_actions", ...who, actions, message }, others });
  yield bodyDoor("Slack modal", payload, { sample: { type: "view_submission", ...who, view }, others });
  const said = { command: "/crosszone", user_id: user, ...home, api_app_id: app.app_id, text: "help " };
  const command = new URLSearchParams(said).toString();
  const longer = (size: number): string => command + "a ".repeat(size / 2);
  yield bodyDoor("Slack command", signed(formType), { sample: command, others: { ...forms, longer } });
  yield bodyDoor("stranger POST /slack/events", (body) => ({ method: "POST", url, headers: jsonType, body }), {
    sample: {},
  });
  for (const path of ["/slack/events", "/files/F1", "/healthz", "/metrics", "/nowhere"])
    yield readingDoor(`stranger GET ${path}`, () => ({ method: "GET", url: verificationUrl + path, headers: {} }));
}

/** Returns every door of both zones. */
export function doorsOf(zones: Zones): Door[] {
  let used = 0;
  const token = (): string => zones.tokens[(used += 1) % zones.tokens.length] ?? "";
  const withToken = [apiDoors, a2aDoors, mcpDoors].flatMap((doors) => [...doors(zones, token)]);
  const others = [linkDoors, hookDoors, openDoors].flatMap((doors) => [...doors(zones)]);
  return [
    ...withToken,
    ...others,
    ...[...slackDoors(zones)].map((door) => ({ ...door, zone: "verification" as const })),
  ];
}
