import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  CancelTaskRequest,
  GetTaskRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import { createAdapters, type ProtocolAdapter, type Reading } from "@crosszone/agent-bridge";
import {
  isA2AMessageSendRequest,
  isA2ASendResult,
  isA2ATasksCancelRequest,
  isA2ATasksGetRequest,
  isAgentTask,
  isJsonRpcResponse,
  isSimpleA2ARequest,
  isSimpleA2AResponse,
  problemsOf,
  type AgentTask,
} from "@crosszone/contracts";
import { format } from "prettier";
import { expect, test } from "vitest";
import { record } from "../harness/run-transcript.ts";

const paths = ["a2a-wire.md", "a2a-wire-tasks.md"].map((name) =>
  resolve(import.meta.dirname, "../../docs/reference", name),
);
const texts = paths.map((path) => readFileSync(path, "utf8"));
/** Both pages as one. */
const page = texts.join("\n");

interface Body {
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: object;
}

interface Example {
  readonly protocol: string;
  readonly text: string;
  /** Below a response: what Crosszone makes of it. */
  readonly result: string;
}

const examplesOf = (kind: string): Example[] =>
  [
    ...page.matchAll(new RegExp(`<!-- ${kind} (\\S+) -->\n\n\`\`\`\\w+\n([^]*?)\`\`\`\n\n(?:Result: (.*)\n)?`, "g")),
  ].map(([, protocol = "", text = "", result = ""]) => ({ protocol, text, result }));

const jsonAfter = (comment: string): unknown =>
  JSON.parse(new RegExp(`<!-- ${comment} -->\n\n\`\`\`json\n([^]*?)\`\`\``).exec(page)?.[1] ?? "");
const task = jsonAfter("task") as AgentTask;

const adapterOf = (protocol: string): ProtocolAdapter => createAdapters().adapterOf({ protocol, protocol_config: {} });

const requests = [...page.matchAll(/<!-- request (\S+) (\w+) -->/g)].map(([, protocol = "", make = ""]) => {
  const request = adapterOf(protocol)[make as "toPoll"]?.(task, "task-9");
  // As it is sent, without members that are undefined.
  return { protocol, make, request: JSON.parse(JSON.stringify(request)) as Body };
});

const codecs = {
  SendMessage: SendMessageRequest,
  SendStreamingMessage: SendMessageRequest,
  GetTask: GetTaskRequest,
  SubscribeToTask: SubscribeToTaskRequest,
  CancelTask: CancelTaskRequest,
};
const schemas = {
  "message/send": isA2AMessageSendRequest,
  "tasks/get": isA2ATasksGetRequest,
  "tasks/cancel": isA2ATasksCancelRequest,
};

/** In the words of the page. */
function resultOf(reading: Reading): string {
  if (reading.state === "working")
    return `Crosszone follows the task \`${reading.remoteId}\`.${reading.progress === undefined ? "" : ` Progress: “${reading.progress}”`}`;
  const { output, failure } = reading;
  if (failure === undefined) return `success, “${answerIn(output as Output)}”`;
  return `${failure.retryable ? "temporary failure" : "failure"} \`${failure.kind}\`: “${failure.message}”`;
}

interface Output {
  readonly text?: string;
  readonly response?: string;
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
}

/** What people read: the parts of an artifact are joined without a separator. */
const answerIn = ({ artifacts, text, response }: Output): string | undefined =>
  artifacts?.map(({ parts }) => parts.map((part) => part.text).join("")).join("\n\n") ?? text ?? response;

/** Returns a page with what is real. */
async function real(shownPage: string): Promise<string> {
  let text = shownPage;
  for (const { protocol, make, request } of requests)
    text = text.replace(
      new RegExp(`(<!-- request ${protocol} ${make} -->\n\n\`\`\`json\n)[^]*?(\`\`\`)`),
      (_all, start: string, end: string) => `${start}${JSON.stringify(request)}\n${end}`,
    );
  const readings = [
    ...examplesOf("response").map((example) => ({ ...example, reading: readResponse(example) })),
    ...examplesOf("events").map((example) => ({ ...example, reading: readEvents(example) })),
  ];
  for (const { text: shown, reading } of readings) {
    const at = text.indexOf(shown);
    if (at < 0) continue;
    text = text.slice(0, at) + text.slice(at).replace(/^Result:.*$/m, () => `Result: ${resultOf(reading)}`);
  }
  return format(text, { parser: "markdown", printWidth: 120 });
}

const replyOf = (text: string) => ({ status: 200, headers: {}, body: new TextEncoder().encode(text) });
const readResponse = ({ protocol, text }: Example): Reading => adapterOf(protocol).fromResponse(replyOf(text), task);

const eventsOf = (text: string): string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);

function readEvents({ protocol, text }: Example): Reading {
  const read = adapterOf(protocol).createEventReader?.(task);
  const readings = eventsOf(text).map((data) => read?.(replyOf(data)));
  expect(readings.slice(0, -1).map((reading) => reading?.state)).toEqual(readings.slice(1).map(() => "working"));
  return readings.at(-1) as Reading;
}

test("R9.1: the page shows each request as the adapters make it, and what they read in each response", async () => {
  expect(problemsOf(isAgentTask, task)).toEqual([]);
  expect(requests.map(({ make }) => make)).toHaveLength(10);
  expect(examplesOf("response").length).toBeGreaterThan(12);
  for (const [at, text] of texts.entries()) {
    const shown = await real(text);
    expect(text, record(paths[at] ?? "", shown)).toBe(shown);
  }
});

/** What a value is, and what it is to be to be valid. The SDK drops members that it doesn't know, and adds defaults. */
type Judged = readonly [value: unknown, valid: unknown];

function judgeRequest({ protocol, request }: (typeof requests)[number]): Judged {
  const { method = "", params } = request;
  if (protocol === "a2a-1.0") {
    const codec = codecs[method as keyof typeof codecs];
    return [codec.toJSON(codec.fromJSON(params) as never), params];
  }
  if (protocol === "simple-a2a") return [problemsOf(isSimpleA2ARequest, request), []];
  // The contract has one schema for both methods that send a message.
  const sent = method === "message/stream" ? { ...request, method: "message/send" } : request;
  return [problemsOf(schemas[sent.method as keyof typeof schemas], sent), []];
}

function judgeResponse({ protocol, text }: Example): readonly Judged[] {
  const body = JSON.parse(text) as Body;
  const { result } = body;
  if (protocol === "simple-a2a") return [[problemsOf(isSimpleA2AResponse, body), []]];
  const envelope: Judged = [problemsOf(isJsonRpcResponse, body), []];
  if (result === undefined) return [envelope];
  if (protocol !== "a2a-1.0") return [envelope, [problemsOf(isA2ASendResult, result), []]];
  const isSent = "task" in result || "message" in result;
  const known = isSent
    ? SendMessageResponse.toJSON(SendMessageResponse.fromJSON(result))
    : Task.toJSON(Task.fromJSON(result));
  return [envelope, [known, result]];
}

test("R9.1: each request is valid: by the schemas in 0.3, by the official SDK in 1.0", () => {
  for (const [value, valid] of requests.map(judgeRequest)) expect(value).toMatchObject(valid as object);
});

test("R9.2: each response is valid: by the schemas in 0.3, by the official SDK in 1.0", () => {
  const judged = examplesOf("response").flatMap(judgeResponse);
  expect(judged.length).toBeGreaterThan(20);
  for (const [value, valid] of judged) expect(value).toMatchObject(valid as object);
});

test("R9.2: each event of a stream is valid by the official SDK", () => {
  const events = examplesOf("events")
    .filter(({ protocol }) => protocol === "a2a-1.0")
    .flatMap(({ text }) => eventsOf(text));
  expect(events.length).toBeGreaterThan(4);
  for (const data of events) {
    const { result } = JSON.parse(data) as { readonly result: object };
    expect(StreamResponse.toJSON(StreamResponse.fromJSON(result))).toMatchObject(result);
  }
});
