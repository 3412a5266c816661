import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
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

export function createConformanceServer(): Server {
  const server = new Server(
    { name: "conformance", version: "1" },
    {
      capabilities: { tools: {}, prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: name,
      inputSchema: { type: "object" as const },
    })),
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
