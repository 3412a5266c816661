import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createMcpRoute } from "@crosszone/execution";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { tempFolder } from "@crosszone/testkit/temporary";
import {
  type CallToolResult,
  type ContentBlock,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult,
  type InputRequests,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { noteWorksWith } from "../works-with.ts";

/** A server with the tools, prompts and resources that the conformance suite of MCP asks for by name. */
const states = createRequestStateCodec<string>({ key: randomBytes(32) });
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", data: pixel, mimeType: "image/png" } as const;
const text = (words: string) => ({ type: "text", text: words }) as const;
const embedded = (uri: string) =>
  ({ type: "resource", resource: { uri, mimeType: "text/plain", text: "embedded" } }) as const;
const content = (...blocks: ContentBlock[]): CallToolResult => ({ content: blocks });

const form = (message: string, name: string, type: "string" | "boolean" = "string") =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } } } as ElicitRequestFormParams["requestedSchema"],
  });
const sampling = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});

/** Asks until all keys have valid answers. */
const asks =
  (inputRequests: InputRequests, state?: string) =>
  async ({ mcpReq }: ServerContext): Promise<CallToolResult | InputRequiredResult> => {
    const isValid = (key: string): boolean => inputResponse(mcpReq.inputResponses, key).kind !== "missing";
    const isDone =
      Object.keys(inputRequests).every(isValid) && (state === undefined || mcpReq.requestState() === state);
    if (isDone) return content(text(`state-ok ${JSON.stringify(mcpReq.inputResponses)}`));
    return inputRequired({ inputRequests, ...(state !== undefined && { requestState: await states.mint(state) }) });
  };

async function multiRound({ mcpReq }: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  const round = Number(mcpReq.requestState<string>() ?? 0) + 1;
  if (round > 2) return content(text("Both steps are done."));
  const inputRequests = { [`step${round}`]: form(`Step ${round}?`, "answer") };
  return inputRequired({ inputRequests, requestState: await states.mint(String(round)) });
}

function capabilities(context: ServerContext): InputRequiredResult {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const can = envelope["io.modelcontextprotocol/clientCapabilities"] as Readonly<Record<string, unknown>> | undefined;
  const all = { elicitation: form("Name?", "name"), sampling, roots: inputRequired.listRoots() };
  return inputRequired({ inputRequests: Object.fromEntries(Object.entries(all).filter(([name]) => can?.[name])) });
}

async function withProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const { _meta } = mcpReq;
  for (const progress of [0, 50, 100]) {
    const params = { progressToken: _meta?.progressToken ?? 0, progress, total: 100 };
    await mcpReq.notify({ method: "notifications/progress", params });
    await delay(50);
  }
  return content(text("done"));
}

async function withLogging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const line of ["Started", "Running", "Done"]) {
    await mcpReq.log("info", line);
    await delay(50);
  }
  return content(text("done"));
}

type Run = (
  context: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

const named = { user_name: form("What is your name?", "name") };
const tools: Readonly<Record<string, Run>> = {
  test_simple_text: () => content(text("This is a simple text response for testing.")),
  test_image_content: () => content(image),
  test_audio_content: () => content({ type: "audio", data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEA", mimeType: "audio/wav" }),
  test_embedded_resource: () => content(embedded("test://embedded-resource")),
  test_multiple_content_types: () => content(text("Several:"), image, embedded("test://mixed-content-resource")),
  test_error_handling: () => ({
    ...content(text("This tool intentionally returns an error for testing")),
    isError: true,
  }),
  test_tool_with_progress: withProgress,
  test_tool_with_logging: withLogging,
  test_logging_tool: withLogging,
  test_elicitation: asks(named),
  test_elicitation_sep1034_defaults: asks(named),
  test_elicitation_sep1330_enums: asks(named),
  test_streaming_elicitation: asks(named),
  test_sampling: asks({ capital_question: sampling }),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_input_required_result_elicitation: asks(named),
  test_input_required_result_sampling: asks({ capital_question: sampling }),
  test_input_required_result_list_roots: asks({ client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: asks({ confirm: form("Sure?", "ok", "boolean") }, "first"),
  test_input_required_result_multiple_inputs: asks(
    { ...named, greeting: sampling, client_roots: inputRequired.listRoots() },
    "all",
  ),
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_tampered_state: asks({ confirm: form("Sure?", "ok", "boolean") }, "kept"),
  test_input_required_result_capabilities: capabilities,
};

const prompt = (...blocks: ContentBlock[]): GetPromptResult => ({
  messages: blocks.map((block) => ({ role: "user" as const, content: block })),
});
const prompts: Readonly<
  Record<
    string,
    (given: Readonly<Record<string, string>>, context: ServerContext) => GetPromptResult | InputRequiredResult
  >
> = {
  test_simple_prompt: () => prompt(text("This is a simple prompt for testing.")),
  test_prompt_with_arguments: ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) =>
    prompt(embedded(resourceUri), text("Please process it.")),
  test_prompt_with_image: () => prompt(image, text("Please analyze the image above.")),
  test_input_required_result_prompt: (_given, { mcpReq }) =>
    inputResponse(mcpReq.inputResponses, "user_context").kind === "missing"
      ? inputRequired({ inputRequests: { user_context: form("What for?", "context") } })
      : prompt(text("With context.")),
};

function resourceAt(uri: string) {
  if (uri === "test://static-text")
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) };
}

function createConformanceServer(): Server {
  const server = new Server(
    { name: "conformance", version: "1" },
    {
      capabilities: { tools: {}, prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(
    "tools/call",
    ({ params }, context) => tools[params.name]?.(context) ?? content(text("Unknown")),
  );
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(prompts).map((name) => ({ name, description: name })),
  }));
  server.setRequestHandler(
    "prompts/get",
    ({ params }, context) => prompts[params.name]?.(params.arguments ?? {}, context) ?? prompt(),
  );
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
  server.setRequestHandler("logging/setLevel", () => ({}));
  server.setRequestHandler("resources/list", () => ({
    resources: ["text", "binary"].map((name) => ({ name, uri: `test://static-${name}` })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }],
  }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [resourceAt(params.uri)] }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  return server;
}

const here = (name: string): string => join(import.meta.dirname, name);
const suiteFolder = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance");
const suite = join(suiteFolder, "dist/index.js");
const { version: suiteVersion } = JSON.parse(readFileSync(join(suiteFolder, "package.json"), "utf8")) as {
  version: string;
};
const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/;

/** Starts the suite's own tools on the routes of the zone. The suite can't send a token. */
async function startConformanceServer(): Promise<string> {
  const route = createMcpRoute({
    ask: { open: (asker) => asker, cancelCall: async () => undefined },
    door: () => ({ auth: () => ({ who: { actor: "token:suite", agents: [], openTasks: 1 } }) }),
    emit: () => undefined,
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: 1_000 },
    createServer: createConformanceServer,
  });
  // The listener of the zone checks these.
  const isLocal: (request: Parameters<RequestListener>[0]) => boolean = ({ headers: { host = "", origin } }) =>
    local.test(host) && (origin === undefined || local.test(new URL(origin).host));
  const server = createHttpServer((request, response) => {
    if (isLocal(request)) void route(request, response, () => response.destroy());
    else response.writeHead(403).end("{}");
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 500 })));
  return `${url}/mcp`;
}

/**
 * Versions before 2026-07-28 ask clients over a connection that a session keeps. This server has no sessions, so that any process can answer
 * any request: its results say what a person has to answer, and a tool takes the answer.
 */
const needsSessions = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
];

test.each<[string, readonly string[]]>([
  ["2026-07-28", []],
  ["2025-11-25", needsSessions],
])("C1: the server conforms to MCP %s", async (version, expected) => {
  const url = await startConformanceServer();
  const args = [suite, "server", "--url", url, "--requirements", version, "-o", tempFolder({})];
  const ran = promisify(execFile)(process.execPath, args, { timeout: 100_000, maxBuffer: 1 << 26 });
  const failed = (error: { readonly stdout: string }): typeof error => error;
  const { stdout } = await ran.catch(failed);
  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const notScored = new Set(Array.from(summary.matchAll(/✗ (\S+) \(/g), ([, name]) => name));
  const scenarios = Array.from(summary.matchAll(/([✓✗]) (\S+): \d+ passed/g), ([, mark, name]) => ({ mark, name }));
  expect(scenarios.length).toBeGreaterThanOrEqual(30);
  const missed = scenarios.filter(({ mark, name }) => mark === "✗" && !notScored.has(name));
  expect(missed.map(({ name }) => name)).toEqual(expected);
  const scored = scenarios.filter(({ name }) => !notScored.has(name)).length;
  const row = { name: `MCP conformance, server, ${version}`, version: suiteVersion, as: "suite" } as const;
  const note = expected.length > 0 && {
    note: "In the rest the server asks the client, for which it would have to keep sessions.",
  };
  noteWorksWith({ ...row, passed: scored - missed.length, of: scored, ...note });
});

test("the MCP client passes the conformance suite of 2026-07-28, except for what is listed with a reason", async () => {
  const node = [process.execPath, "--conditions=@crosszone/source", "--disable-warning=ExperimentalWarning"];
  const command = [...node, here("conformance-client.ts")].join(" ");
  const revision = ["--requirements", "2026-07-28", "--timeout", "15000"];
  const args = [
    suite,
    "client",
    "--command",
    command,
    ...revision,
    "--expected-failures",
    here("client-failures.yaml"),
  ];
  // Rejects with the suite's report when its exit code is not 0.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  const report = stdout + stderr;
  expect(report).toMatch(/✓ tools_call: /);
  expect(report).toMatch(/✓ auth\/client-credentials-jwt: /);
  expect(report).not.toMatch(/✗ auth\/client-credentials/);
  const marks = Array.from(report.matchAll(/^([✓✗]) \S+: /gm), ([, mark]) => mark);
  const passed = marks.filter((mark) => mark === "✓").length;
  const note = "The rest needs a person who logs in, or grants that the section `mcp` doesn't have.";
  const row = { name: "MCP conformance, client, 2026-07-28", version: suiteVersion, as: "suite" } as const;
  noteWorksWith({ ...row, passed, of: marks.length, note });
}, 120_000);
