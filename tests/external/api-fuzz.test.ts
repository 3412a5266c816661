import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ApiBody, type ApiParameter, operationsAt, type OpenApiDocument } from "@crosszone/contracts/openapi";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { openDoors } from "../hostile/doors/open-doors.ts";
import { pythonOf } from "../harness/install-once.ts";

/** How many requests of its own Schemathesis sends to each operation. https://schemathesis.readthedocs.io */
const requestsEach = process.env["TEST_SHARE"] === "1" ? 60 : 10;

/** The share of the operations that must have succeeded. */
const leastShare = 0.9;

type Json = Readonly<Record<string, unknown>>;
type Zone = Awaited<ReturnType<typeof openZone>>;

const newDatabase = (): string => `sqlite:${tempFolder()}/zone.sqlite`;

/** Starts both zones with the sample agents, and one of each resource that a zone can have. */
async function openZone() {
  const started = await openDoors({ databases: [newDatabase(), newDatabase()], tokens: 20 });
  const { zones, agents, view } = started;
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    // Who started a run can't decide what it asks: that is for the token t0.
    const token = zones.tokens[path.endsWith("/answer") ? 0 : 1];
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${zones.url}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as Json;
  };
  return { ...started, view, call, agentUrl: /url: (\S+)/.exec(agents.file)?.[1] ?? "" };
}

const firstOf = (list: unknown): Json => (list as readonly Json[])[0] ?? {};

/** Makes one of each resource by the API and by a question in Slack. Returns what names them: by parameter, and where an operation ends one, by operation. */
async function seed({ call, agentUrl, ask, zones }: Zone): Promise<Json> {
  const schedule = (name: string): object => ({
    name,
    settings: { owner: zones.known["owner"], agent: "builtin", text: "Hello", every_ms: 86_400_000, cap: { fires: 1 } },
  });
  for (const name of ["seed", "gone"]) await call("POST", "/agents", { name, url: agentUrl });
  for (const name of ["daily", "gone"]) await call("POST", "/schedules", schedule(name));
  await call("POST", "/tokens", { name: "gone", scopes: ["ask"], expires_in: 60_000 });
  const { token: free } = await call("POST", "/tokens", { name: "free", scopes: ["ask"], expires_in: 60_000 });
  await call("POST", "/agents", { name: "moved", url: agentUrl, protocol: "jsonrpc-2.0" });
  await call("POST", "/agent-migrations", { to: "a2a-1.0", agents: ["moved"] });
  const { failing, approving } = {
    failing: { id: "ask", type: "agent", agent_name: "seed", input_mapping: { text: "${workflow.input.none}" } },
    approving: { id: "pay", type: "human", input: "approve", prompt: "Pay?", decide: { people: ["token:t0"] } },
  };
  const workflow = (workflow_id: string, step: { readonly id: string }): object => ({
    workflow_id,
    name: workflow_id,
    version: "1.0.0",
    start_step: step.id,
    steps: { [step.id]: step },
  });
  await call("POST", "/workflows", workflow("fails", failing));
  await call("POST", "/workflows", workflow("asks", approving));
  const start = async (workflow_id: string): Promise<unknown> =>
    (await call("POST", "/runs", { workflow_id, input: {} }))["run_id"];
  const [failed, ended, running] = [await start("fails"), await start("asks"), await start("asks")];
  await ask("builtin", "upper: seed");
  const stopped = await call("POST", "/bulk-actions", { action: "run.cancel", ids: [ended] });
  const listed = async (path: string, member: string): Promise<Json> => firstOf((await call("GET", path))[member]);
  const open: unknown[] = [];
  for (const run of [await start("asks"), await start("asks"), await start("asks")])
    await vi.waitFor(async () => {
      const { request_id } = await listed(`/input-requests?run_id=${String(run)}`, "input_requests");
      expect(request_id).toBeDefined();
      open.push(request_id);
    }, 30_000);
  await call("POST", `/input-requests/${String(open[0])}/answer`, { answer: { verdict: "approve" } });
  // A proof needs a signed checkpoint, which comes once a minute.
  await vi.waitFor(() => call("GET", "/audit/checkpoint"), { timeout: 90_000, interval: 1_000 });
  const { task_id, correlation_id: reference } = await listed("/tasks", "tasks");
  const { event_id } = await listed("/audit/events?action=token.create", "events");
  return {
    free,
    name: "seed",
    "rollBackAgent.name": "moved",
    workflow_id: "heavy",
    version: "1.0.0",
    path: "ask",
    run_id: failed,
    task_id,
    reference,
    event_id,
    request_id: open[0],
    bulk_action_id: stopped["bulk_action_id"],
    ...Object.fromEntries(
      ["getSchedule", "changeSchedule", "pauseSchedule", "resumeSchedule", "fireSchedule"].map((one) => [
        `${one}.name`,
        "daily",
      ]),
    ),
    "deleteAgent.name": "gone",
    "removeSchedule.name": "gone",
    "revokeToken.name": "gone",
    "cancelRun.run_id": running,
    "answerInputRequest.request_id": open[1],
    "withdrawInputRequest.request_id": open[2],
    "answerInputRequest.body": { answer: { verdict: "approve" } },
    "withdrawInputRequest.body": { reason: "not needed" },
    "createAgent.body": { name: "made", url: agentUrl },
    "testAgent.body": { agent: "seed", text: "Hello" },
    "migrateAgents.body": { to: "a2a-1.0", agents: ["seed"], dry_run: true },
    "changeAgent.body": { description: "Changed." },
    "createSchedule.body": schedule("made"),
    "changeSchedule.body": (schedule("") as { settings: object }).settings,
    "createToken.body": { name: "made", scopes: ["ask"], expires_in: 60_000 },
    "startBulkAction.body": { action: "run.cancel", ids: [running] },
    "createWorkflowVersion.body": workflow("made", approving),
    "validateWorkflow.body": {},
    "publishEvent.body": { name: "news", key: "a" },
    "startRun.body": { workflow_id: "asks", input: {} },
  };
}

/** The document has the schema of an event's data. OpenAPI 3.1 can't say so: Schemathesis would hold the whole event against it. */
function withoutEvents({ content, ...body }: ApiBody): object {
  if (content === undefined) return body;
  const kept = Object.entries(content).map(([type, one]) => [type, type === "text/event-stream" ? {} : one]);
  return { ...body, content: Object.fromEntries(kept) };
}

/** Returns a document whose parameters and bodies have examples that name what there is. */
function withExamples(document: OpenApiDocument, known: Json): OpenApiDocument {
  const copy = structuredClone(document) as OpenApiDocument & { paths: Record<string, Record<string, Json>> };
  const components = document.components["parameters"] ?? {};
  for (const template of Object.keys(copy.paths))
    for (const [method, operation] of Object.entries(operationsAt(document, template).methods)) {
      const { operationId, requestBody } = operation;
      const { shared } = operationsAt(document, template);
      const parameters = [...shared, ...(operation.parameters ?? [])].map(
        (one) => (one.$ref === undefined ? one : components[one.$ref.replace(/.*\//, "")]) as ApiParameter,
      );
      const exampleOf = (name: string): unknown => known[`${operationId}.${name}`] ?? known[name];
      const shown = parameters.map((one) => ({
        ...one,
        ...(exampleOf(one.name) !== undefined && one.in === "path" && { example: exampleOf(one.name) }),
      }));
      const body = known[`${operationId}.body`];
      const content = Object.entries(requestBody?.content ?? {}).map(([type, one]) => [
        type,
        { ...one, ...(body !== undefined && { example: body }) },
      ]);
      const own = copy.paths[template] as Record<string, unknown>;
      delete own["parameters"];
      own[method] = {
        ...operation,
        responses: {
          ...Object.fromEntries(
            Object.entries(operation.responses).map(([status, one]) => [status, withoutEvents(one)]),
          ),
          // The head of a request is refused before its operation is known.
          431: { description: "The line or the header of the request is too long." },
        },
        parameters: shown,
        ...(requestBody && { requestBody: { ...requestBody, content: Object.fromEntries(content) } }),
      };
    }
  return copy;
}

/** What a zone answered to an operation: how often each status, and what it said last. */
interface Answered {
  readonly name: string;
  readonly statuses: Map<number, number>;
  last: string;
}

/** Passes requests on to a zone, each with the next token, and notes the answers of each operation. */
async function startNoting(
  origin: string,
  document: OpenApiDocument,
  { zones, free }: Zone & { readonly free: string },
) {
  const operations = Object.keys(document.paths).flatMap((template) =>
    Object.keys(operationsAt(document, template).methods).map((method) => ({
      is: new RegExp(`^${method} /api/v1${template.replaceAll(/\{[^}]*\}/g, "[^/]+")}$`, "i"),
      answered: { name: `${method.toUpperCase()} ${template}`, statuses: new Map(), last: "" } as Answered,
    })),
  );
  let sent = 0;
  // The others have an entry in the settings, which lists no event.
  const tokenFor = (path: string): string | undefined => {
    if (path === "/api/v1/events") return free;
    return zones.tokens[path.endsWith("/answer") ? 0 : (sent += 1) % zones.tokens.length];
  };
  const url = await serve((request, response) => {
    const { method = "", headers } = request;
    // Schemathesis ends what it finds, and needs these tokens itself.
    const target = String(request.url).replace(/\/tokens\/(t\d+|free)/, "/tokens/none");
    const [path = ""] = target.split("?");
    const noted = operations.find(({ is }) => is.test(`${method} ${path}`))?.answered;
    const authorization = headers.authorization && { authorization: `Bearer ${tokenFor(path)}` };
    const passed = httpRequest(origin + target, {
      method,
      headers: { ...headers, host: new URL(origin).host, ...authorization },
    });
    passed.once("response", (answer) => {
      const { statusCode: status = 0 } = answer;
      noted?.statuses.set(status, (noted.statuses.get(status) ?? 0) + 1);
      response.writeHead(status, answer.rawHeaders);
      answer.on("data", (part) => noted && (noted.last = String(part).slice(0, 300))).pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
    response.once("close", () => passed.destroy());
  });
  return { url, answered: operations.map((one) => one.answered) };
}

/** What an answer may not be: a failure of the zone, or another one than the document says. */
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

/** Lets Schemathesis send what a document allows and what it does not. Returns what it says when it finds something. */
async function fuzz(url: string, document: OpenApiDocument): Promise<string> {
  const python = await pythonOf(join(import.meta.dirname, "fuzz/requirements.txt"));
  const folder = tempFolder();
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const options = {
    url: `${url}/api/v1`,
    header: "Authorization: Bearer replaced",
    checks: checks.join(","),
    phases: "examples,coverage,fuzzing",
    "max-examples": String(requestsEach),
    "request-timeout": "30",
    seed: String(process.env["TEST_SEED"] ?? 1),
    "generation-database": "none",
    warnings: "off",
  };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const words = ["run", file, ...given, "--no-color", "--no-shrink", "--continue-on-failure"];
  const program = join(python, "../schemathesis");
  return promisify(execFile)(program, words, { cwd: folder, maxBuffer: 1e8 }).then(
    () => "",
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
  );
}

/** The part of the API's document that verification serves too. */
function viewDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).filter(([template]) =>
    /^\/audit\/(events|export|checkpoint)$/.test(template),
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

test(
  "X1: no request that the documents allow or forbid makes a zone fail, and at least 90 % of the operations succeed",
  { timeout: 3_600_000 },
  async () => {
    const zone = await openZone();
    const known = await seed(zone);
    const { zones, view } = zone;
    const response = await fetch(`${zones.url}/api/v1/openapi.json`);
    const served = withExamples((await response.json()) as OpenApiDocument, known);
    const found: string[] = [];
    const all: Answered[] = [];
    for (const [origin, document] of [
      [zones.url, served],
      [view, viewDocument(served)],
    ] as const) {
      const { url, answered } = await startNoting(origin, document, { ...zone, free: String(known["free"]) });
      found.push(await fuzz(url, document));
      all.push(...answered);
    }
    const failed = all.filter(({ statuses }) => ![...statuses.keys()].some((status) => status >= 200 && status < 300));
    const share = 1 - failed.length / all.length;
    for (const { name, statuses } of all)
      console.log(`${name}: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(", ")}`);
    for (const { name, last } of failed) console.log(`${name} never succeeded: ${last}`);
    console.log(`${all.length - failed.length} of ${all.length} operations succeeded: ${(100 * share).toFixed(1)} %`);
    expect(found.join("")).toBe("");
    expect(share).toBeGreaterThanOrEqual(leastShare);
  },
);
