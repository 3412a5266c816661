import { type JsonObject, objectOf, objectsOf } from "../wire/json.ts";
import { bad, card, everywhere, type KnownBad, only03, withTask } from "./deviations.ts";
import { type Deviation, MethodError } from "./good-agent.ts";

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
    const parts = objectsOf(object["parts"]);
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

/** Agents whose answers have a form in which a caller can lose something, as frameworks send them, and others that comply. */
export const badForms: readonly KnownBad[] = [
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
];
