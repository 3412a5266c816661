import type { ConformanceReport } from "@crosszone/contracts";
import { isObject, type JsonObject, objectOf, objectsIn } from "../wire.ts";
import { type Deviation, MethodError, agentUrl } from "./good-agent.ts";

const only03 = ["0.3"] as const;

/** Changes each object in a value, from the inside. */
function inside(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((each) => inside(each, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member, change)])));
}

/** Changes each object of each result. */
const everywhere = (change: (object: JsonObject) => JsonObject) => ({
  result: (result: JsonObject) => inside(result, change),
});

const withTask = (change: (task: JsonObject) => JsonObject) =>
  everywhere((object) => ("status" in object && "id" in object ? change(object) : object));

const html = (): Response =>
  new Response("<html><body>Internal Server Error</body></html>", {
    status: 500,
    headers: { "content-type": "text/html" },
  });

const card = (members: JsonObject) => (whole: JsonObject) => ({ ...whole, ...members });

/** An agent with one real-world bug, and the checks that find it: all others pass. */
export interface KnownBad {
  readonly name: string;
  readonly fails: readonly string[];
  readonly deviation: Deviation;
  /** The check waits until its timeout, or needs the slow question. */
  readonly slow?: true;
}

/** One that speaks A2A 1.0 only, unless the deviation says otherwise. */
const bad = (name: string, fails: readonly string[], deviation: Deviation): KnownBad => ({
  name,
  fails,
  deviation: { versions: ["1.0"], ...deviation },
});

/** The checks that failed, of either level. */
export const failedIds = ({ checks }: ConformanceReport): readonly string[] =>
  checks.filter(({ status }) => status === "failed").map(({ id }) => id);

const isIn = (state: string, task: JsonObject): boolean => objectOf(task["status"])?.["state"] === state;

/** Changes a task that asks. */
const whenAsking = (change: (task: JsonObject) => JsonObject) =>
  withTask((task) => (isIn("TASK_STATE_INPUT_REQUIRED", task) ? change(task) : task));

const asksBy = (part: JsonObject) =>
  whenAsking(({ status, ...task }) => {
    const message = { ...objectOf(objectOf(status)?.["message"]), parts: [part] };
    return { ...task, status: { ...objectOf(status), message } };
  });

/** Begins the answer with this part, in the artifact and in its first piece. */
const beginsWith = (part: JsonObject) =>
  everywhere((object) => {
    const parts = objectsIn(object["parts"]);
    const isBegin = "artifactId" in object && String(parts[0]?.["text"]).startsWith("One ");
    return isBegin ? { ...object, parts: [part, ...parts] } : object;
  });

/** Sends one more event after the end of a stream's task. */
const afterEnd = (more: (update: JsonObject) => JsonObject): Deviation => ({
  event: (event) => {
    const { final: _final, ...update } = objectOf(event["statusUpdate"]) ?? {};
    return isIn("TASK_STATE_COMPLETED", update) ? [event, more(update)] : [event];
  },
});

const withStream = (change: (text: string) => string): Deviation => ({
  http: async (response) => {
    const { status, headers } = response;
    if (headers.get("content-type") !== "text/event-stream") return response;
    return new Response(change(await response.text()), { status, headers });
  },
});

/** Returns a task without its artifacts when it is fetched for the first time. */
function artifactsLater(): Deviation["methods"] {
  const seen = new Set<unknown>();
  return ({ GetTask }) => ({
    GetTask: async (params) => {
      const { artifacts, ...task } = await GetTask(params);
      const isKnown = seen.has(task["id"]);
      seen.add(task["id"]);
      return isKnown ? { ...task, artifacts } : task;
    },
  });
}

const noContexts: Deviation["methods"] = ({ SendMessage }) => ({
  SendMessage: async (params) => {
    const { contextId, taskId } = objectOf(params["message"]) ?? {};
    if (contextId === undefined || taskId !== undefined) return SendMessage(params);
    throw new MethodError({ code: -32_602, message: "Unknown contextId" });
  },
});

const draft = [{ artifactId: "draft", parts: [{ text: "Dear Bob," }] }];
const answer = [{ messageId: "1", role: "ROLE_AGENT", parts: [{ text: "One two three." }] }];

/** Agents with one deviation each. */
export const knownBad: readonly KnownBad[] = [
  // Their responses are wrong.
  bad("card says no streaming while it streams", ["streaming-off"], { card: card({ capabilities: {} }) }),
  {
    ...bad("submitted as an answer", ["answer-is-final"], {
      ...withTask((task) => ({ ...task, status: { ...objectOf(task["status"]), state: "TASK_STATE_SUBMITTED" } })),
      card: card({ capabilities: { streaming: false } }),
      methods: () => ({
        SendStreamingMessage: async () => {
          throw new MethodError({ code: -32_004, message: "UNSUPPORTED_OPERATION" });
        },
      }),
    }),
    slow: true,
  },
  bad("version in the card but not on the wire", ["version-spoken"], {
    response: (response, { method }) =>
      method === "SendMessage" || method === "GetTask"
        ? { jsonrpc: "2.0", id: response["id"], error: { code: -32601, message: "Method not found" } }
        : response,
  }),
  bad(
    "each chunk repeats the text so far",
    ["stream-text"],
    everywhere((object) => {
      const [whole, text] = ["One two three.", String(object["text"])];
      return whole.includes(text) ? { ...object, text: whole.slice(0, whole.indexOf(text) + text.length) } : object;
    }),
  ),
  bad("id not echoed", ["id-string"], { response: (response) => ({ ...response, id: "1" }) }),
  bad("id turned into a string", ["id-integer"], {
    response: ({ id, ...response }) => ({ ...response, id: typeof id === "number" ? `${id}` : id }),
  }),
  bad("HTTP 500 with HTML for errors", ["errors-are-json"], {
    http: async (response) => {
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      return isObject(body) && "error" in body ? html() : response;
    },
  }),
  bad("result and error at once", ["result-or-error"], {
    response: (response) => ({ result: null, error: null, ...response }),
  }),
  bad("progress as the answer", ["answer-in-artifact"], {
    ...withTask(({ artifacts: _artifacts, ...task }) => task),
    event: (event) => ("artifactUpdate" in event ? [] : [event]),
  }),
  bad("progress as an artifact", ["no-progress-as-answer", "stream-text"], {
    ...withTask((task) => {
      if (!("artifacts" in task)) return task;
      const said = { parts: [{ text: "On it." }] };
      const artifacts = [{ artifactId: "0", ...said }, ...objectsIn(task["artifacts"])];
      return { ...task, artifacts, history: [{ messageId: "1", role: "ROLE_AGENT", ...said }] };
    }),
  }),
  bad("artifact without parts", ["artifact-members"], {
    ...everywhere((object) => ("artifactId" in object ? { ...object, parts: [] } : object)),
  }),
  bad("1.0 with the kinds and states of 0.3", ["state-word", "no-kind"], {
    ...everywhere((object) => {
      const lower = String(object["state"]).replace("TASK_STATE_", "").toLowerCase();
      if ("state" in object) return { ...object, state: lower };
      return "text" in object ? { kind: "text", ...object } : object;
    }),
  }),
  // A caller can lose something in the form of their answers, which frameworks send; others comply.
  bad("a question that is only data", ["input-required-message"], asksBy({ data: { question: "Which city?" } })),
  ...[draft, [{ artifactId: "draft", parts: [{ data: { to: "Bob" } }] }]].map((artifacts) =>
    bad(
      `beside its question ${JSON.stringify(artifacts)}`,
      ["input-required-whole"],
      whenAsking((task) => ({ ...task, artifacts })),
    ),
  ),
  bad(
    "an artifact after the end",
    ["stream-nothing-after-end"],
    afterEnd(({ status: _status, ...ids }) => ({ artifactUpdate: { ...ids, artifact: draft[0] } })),
  ),
  bad("completed before the artifact is there", ["answer-in-artifact", "get-same-answer", "stream-text"], {
    methods: artifactsLater(),
  }),
  ...[
    { text: "Hm.", metadata: { adk_thought: true } },
    { text: "<think>Hm.</think>\n" },
    { text: "Hm.\n</thought>\n" },
    { text: '<tool_call>{"name":"f"}\n' },
    { data: { name: "f", args: {} }, metadata: { adk_type: "function_call" } },
  ].map((part) => bad(`the part ${JSON.stringify(part)}`, ["answer-without-thoughts"], beginsWith(part))),
  bad(
    "an empty artifact",
    ["answer-in-artifact"],
    everywhere((object) => ("artifactId" in object ? { ...object, parts: [{ text: "" }] } : object)),
  ),
  bad("the state unknown while it works", ["state-known"], {
    versions: only03,
    ...everywhere((object) => (object["state"] === "working" ? { ...object, state: "unknown" } : object)),
  }),
  bad("no contexts of callers", ["context-accepted"], { methods: noContexts }),
  bad(
    "no empty line after the last event",
    ["stream-opens"],
    withStream((text) => text.trimEnd()),
  ),
  bad(
    "legal: lines that end in several ways",
    [],
    withStream((text) => text.replaceAll("\n\n", "\n\r\n")),
  ),
  bad(
    "legal: the answer in the history as well",
    [],
    withTask((task) => ({ ...task, history: answer })),
  ),
  bad(
    "legal: the whole task at the end of the stream",
    [],
    afterEnd(({ taskId: id, ...update }) => ({ task: { id, ...update } })),
  ),
  bad("legal: an empty description", [], { card: card({ description: "" }) }),
  // They do the wrong thing.
  bad("unknown task answered with success", ["get-unknown"], {
    methods: (methods) => ({
      GetTask: (params) =>
        methods.GetTask(params).catch(() => ({ id: params["id"], status: { state: "TASK_STATE_COMPLETED" } })),
    }),
  }),
  bad("cancel of an ended task says success", ["cancel-ended"], {
    methods: ({ CancelTask, GetTask }) => ({ CancelTask: (params) => CancelTask(params).catch(() => GetTask(params)) }),
  }),
  bad("contextId replaced", ["context-kept"], {
    methods: ({ SendMessage }) => ({
      SendMessage: (params) => {
        const message = objectOf(params["message"]);
        const { contextId: _contextId, ...rest } = message ?? {};
        return SendMessage(message && rest["taskId"] === undefined ? { ...params, message: rest } : params);
      },
    }),
  }),
  bad("timestamps without Z", ["timestamp-format"], {
    ...everywhere((object) =>
      "timestamp" in object ? { ...object, timestamp: String(object["timestamp"]).slice(0, -1) } : object,
    ),
  }),
  bad("error details as an object", ["error-info"], {
    response: (response) => {
      const error = objectOf(response["error"]);
      return error ? { ...response, error: { ...error, data: objectsIn(error["data"])[0] } } : response;
    },
  }),
  bad("card names a URL elsewhere", ["card-url-answers"], {
    card: card({
      supportedInterfaces: [{ url: `${agentUrl}elsewhere`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    }),
  }),
  bad("the same message runs twice", ["same-message-once"], {
    methods: ({ SendMessage }) => ({
      SendMessage: (params) => {
        const message = objectOf(params["message"]);
        const id = message?.["messageId"] === undefined ? undefined : crypto.randomUUID();
        return SendMessage(
          message && id !== undefined ? { ...params, message: { ...message, messageId: id } } : params,
        );
      },
    }),
  }),
  bad("0.3 without kind", ["result-shape"], { versions: only03, ...withTask(({ kind: _kind, ...task }) => task) }),
  {
    ...bad("stream never closes", ["stream-closes"], {
      streamStaysOpen: true,
      event: (event) =>
        objectOf(objectOf(event["statusUpdate"])?.["status"])?.["state"] === "TASK_STATE_COMPLETED" ? [] : [event],
    }),
    slow: true,
  },
  {
    ...bad("returns only when the work is done", ["returns-at-once"], {
      methods: ({ SendMessage }) => ({ SendMessage: (params) => SendMessage({ ...params, configuration: {} }) }),
    }),
    slow: true,
  },
  {
    ...bad("work goes on after the cancellation", ["canceled-stays-canceled"], {
      methods: ({ CancelTask, GetTask }) => ({
        CancelTask: async (params) => {
          const now = objectOf(await GetTask(params));
          const state = String(objectOf(now?.["status"])?.["state"]);
          if (state !== "TASK_STATE_WORKING") return CancelTask(params);
          return { ...now, status: { state: "TASK_STATE_CANCELED" } };
        },
      }),
    }),
    slow: true,
  },
  bad("stack traces in errors", ["no-internals"], {
    response: (response) => {
      const error = objectOf(response["error"]);
      const message = "TypeError: boom\n    at handle (/srv/agent/node_modules/x/index.js:1:2)";
      return error ? { ...response, error: { ...error, message } } : response;
    },
  }),
  bad("lists without the token of the next page", ["list-tasks"], {
    ...everywhere(({ nextPageToken: _nextPageToken, ...object }) => object),
  }),
  bad("stream events of 1.0 without their wrapper", ["stream-events"], {
    event: ({ statusUpdate, artifactUpdate, ...event }) => {
      if (isObject(statusUpdate)) return [{ kind: "status-update", ...statusUpdate }];
      return [isObject(artifactUpdate) ? { kind: "artifact-update", ...artifactUpdate } : event];
    },
  }),
  bad("a message for each token of the answer", ["stream-one-message"], {
    event: (event) => {
      const artifact = objectOf(objectOf(event["artifactUpdate"])?.["artifact"]);
      if (artifact === undefined) return [event];
      return [{ message: { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: artifact["parts"] } }];
    },
  }),
  bad("a card of 0.3 with an empty version", ["card-members"], {
    versions: only03,
    card: card({ protocolVersion: "" }),
  }),
  bad("any version is 1.0", ["version-unknown", "version-absent"], { ignoresVersion: true }),
];
