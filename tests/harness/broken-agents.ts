import {
  artifact,
  cardOf,
  completed,
  html,
  json,
  methodNotFound,
  piece,
  result,
  says,
  slowly,
  stream,
  task,
  type BrokenAgent,
} from "./start-broken-agents.ts";

/** Mistakes that make a question fail, by name. */
export const failingAgents: Readonly<Record<string, BrokenAgent>> = {
  "still-simple": {
    words: "The agent's answer is not a JSON-RPC 2.0 response: it has no member jsonrpc.",
    answer: (_call, response) => json(response, { status: "success", output: { text: "42" }, error: null }),
  },
  "simple-no-more": {
    words: "The agent's answer is not a simple-a2a response: its status is missing.",
    settings: { protocol: "simple-a2a" },
    answer: ({ id }, response) =>
      json(response, { jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid request" } }),
  },
  "other-methods": {
    words: "The agent answered with JSON-RPC error -32601: Method not found",
    answer: ({ id }, response) => json(response, { jsonrpc: "2.0", id, error: methodNotFound }),
  },
  "no-route": {
    words:
      "The agent answered with HTTP 404: it rejects the request; check the agent's url and protocol in the registry.",
    answer: (_call, response) => html(response, 404),
  },
  "other-media-type": {
    words:
      "The agent answered with HTTP 415: it rejects the request; check the agent's url and protocol in the registry.",
    answer: (_call, response) => json(response, { detail: "Unsupported media type" }, 415),
  },
  "web-page": {
    words: "The agent's answer (HTTP 200, … bytes) is not JSON.",
    answer: (_call, response) => html(response, 200),
  },
  "bad-gateway": {
    words: "The agent answered with HTTP 502: it can't answer right now.",
    answer: (_call, response) => html(response, 502),
  },
  "wants-credentials": {
    words: "The agent answered with HTTP 401: it rejects our credentials; check the agent's auth in the registry.",
    answer: (_call, response) => json(response, { detail: "Not authenticated" }, 401),
  },
  "trailing-slash": {
    words: "answered with a redirect (HTTP 307) to the same URL with a slash at its end, which is not followed.",
    answer: (_call, response) => void response.writeHead(307, { location: "/trailing-slash/" }).end(),
  },
  "own-id": {
    words: "The agent's answer is not a JSON-RPC 2.0 response: its id is 1 instead of the request's …",
    answer: (_call, response) =>
      json(response, { jsonrpc: "2.0", id: 1, result: { ...task, status: { state: "completed" } } }),
  },
  "old-state": {
    words: 'The agent\'s answer has an unknown task state, "success"',
    answer: result({ ...task, status: { state: "success" }, artifacts: [artifact] }),
  },
  "no-state": {
    words: "The agent's answer has no task state: status.state is missing",
    card: cardOf("0.3"),
    // Without `kind`, this is not recognized as an update.
    answer: stream({ taskId: "task-9", contextId: "ctx-1", artifact, lastChunk: true }),
  },
  "no-task-id": {
    words: "The agent says that the task is submitted, but gives no id to poll it.",
    answer: result({ kind: "task", contextId: "ctx-1", status: { state: "submitted" }, artifacts: [artifact] }),
  },
  "wrong-url": {
    words:
      'names the URL "http://agent.example/", which is not on the registered … Correct the card\'s URL, or register the agent with that URL.',
    card: () => cardOf("1.0")("http://agent.example/"),
    answer: result({}),
  },
  "only-grpc": {
    words: "offers GRPC 1.0, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.",
    card: (url) =>
      cardOf("1.0", { supportedInterfaces: [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }] })(url),
    answer: result({}),
  },
  blocks: {
    words: "did not answer within 500 ms.",
    settings: { timeout_ms: 500, retry: { max_retries: 1, base_ms: 1, max_ms: 1 } },
    answer: slowly(1_500, { ...task, status: { state: "completed" }, artifacts: [artifact] }),
  },
  "empty-stream": {
    words: "ended its stream before the first event.",
    card: cardOf("0.3"),
    answer: ({ method }, response) => (method === "message/stream" ? stream()({}, response) : html(response, 404)),
  },
};

/** Mistakes that last until the deadline of the task. */
export const endlessAgents: Readonly<Record<string, BrokenAgent>> = {
  "submitted-forever": {
    words: "took too long, so I stopped it.",
    answer: result({ ...task, status: { state: "submitted" }, artifacts: [artifact] }),
  },
  "open-stream": {
    words: "took too long, so I stopped it.",
    card: cardOf("0.3"),
    answer: stream({ ...task, status: { state: "working" } }, { ...piece("42"), lastChunk: true }, "open"),
  },
};

/** Mistakes that show in the answer. */
export const misleadingAgents: Readonly<Record<string, BrokenAgent>> = {
  "progress-as-answer": {
    words: "Working on it…",
    answer: result({ ...task, status: { state: "completed", message: says("Working on it…") }, history: [says("42")] }),
  },
  "whole-text-appended": {
    words: "The answer The answer is 42.",
    card: cardOf("0.3"),
    answer: stream(
      { ...task, status: { state: "working" } },
      piece("The answer "),
      piece("The answer is 42."),
      completed,
    ),
  },
  "no-answer": {
    words: "The agent finished without an answer.",
    answer: result({ ...task, status: { state: "completed" } }),
  },
};
