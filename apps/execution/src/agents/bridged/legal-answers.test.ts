import {
  type AgentReply,
  createAdapters,
  failureResult,
  hitlUri,
  type Reading,
  successResult,
} from "@crosszone/agent-bridge";
import { type AgentResult, type AgentTask, type TaskAwaits, ZoneError } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { startBridgedAgent } from "../../testing/start-bridged-agent.ts";
import { type AskedInput, TaskPaused } from "../agent.ts";

/** What people read of an agent's answer. */
interface Shown {
  readonly text?: string | undefined;
  /** As `name: content`. */
  readonly files?: readonly string[] | undefined;
  readonly awaits?: TaskAwaits | undefined;
  /** The title and the body of the card of which the task waits. */
  readonly card?: readonly [title: string, body?: string];
  /** The agent failed. The text is its reason. */
  readonly failed?: true;
}

/** A legal form of an agent's answer: a task or a message of A2A 0.3. */
type Form = readonly [form: string, whole: object, shown: Shown | string];

/** Forms that people read alike. */
const reads = (shown: Shown | string, forms: Readonly<Record<string, object>>): Form[] =>
  Object.entries(forms).map(([form, whole]) => [form, whole, shown]);

type Parts = readonly object[];

const text = (words: string, metadata?: object) => ({ kind: "text", text: words, ...(metadata && { metadata }) });
const data = (value: unknown, metadata?: object) => ({ kind: "data", data: value, ...(metadata && { metadata }) });
const file = (members: object) => ({ kind: "file", file: members });
const bytes = (content: string, mimeType = "text/plain") => ({
  bytes: Buffer.from(content).toString("base64"),
  mimeType,
});
const call = (type: string, value: object, more?: object) => data(value, { adk_type: type, ...more });
const thought = (words: string) => text(words, { adk_thought: true });

const said = (parts: Parts, role = "agent") => ({ kind: "message", role, messageId: `${role}-1`, parts });
const asks = said([text("And?")], "user");
const made = (parts: Parts, name?: string) => ({
  artifactId: `a-${name}-${parts.length}`,
  ...(name && { name }),
  parts,
});
const ids = { id: "task-9", contextId: "ctx-1" };
const inState =
  (state: string) =>
  (message: object | undefined, ...artifacts: readonly object[]) => ({
    kind: "task",
    ...ids,
    status: { state, message },
    artifacts,
  });

const doneSaying = inState("completed");
const asking = inState("input-required");
const failing = (...parts: Parts) => inState("failed")(said(parts));
const done = (...artifacts: readonly object[]) => doneSaying(undefined, ...artifacts);
const answer = (...parts: Parts) => done(made(parts));
const question = (...parts: Parts) => asking(said(parts));

const none = "The agent finished without an answer.";
const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const aFile = (...files: readonly string[]): Shown => ({ text: "Here is a file.", files });
const shows7 = { text: json(7), files: ["data.json: 7"] };

const approval = { type: "tool_approval_request", tools: [{ id: "1", name: "send", args: { to: "all" } }] };
const confirmation = call(
  "function_call",
  {
    id: "c1",
    name: "adk_request_confirmation",
    args: {
      originalFunctionCall: { id: "f1", name: "send", args: { to: "all" } },
      toolConfirmation: { hint: "Please respond with a FunctionResponse.", confirmed: false },
    },
  },
  { adk_is_long_running: true },
);

/** Of tasks that are completed: what is the answer is in artifacts. */
const inArtifacts: readonly Form[] = [
  ...reads("42", {
    text: answer(text("42")),
    "several texts are one": answer(text("4"), text("2")),
    "kind called type": answer({ type: "text", text: "42" }),
    "part without kind": answer({ text: "42" }),
    "part of an unknown kind": answer({ kind: "markdown", text: "42" }),
    "artifact with text": done({ artifactId: "a", text: "42" }),
    "thought part": answer(thought("Hm."), text("42")),
    "part of type reasoning": answer(text("Hm.", { type: "reasoning" }), text("42")),
    "part of kind thinking": answer({ kind: "thinking", text: "Hm." }, text("42")),
    "artifact of a thought": done(
      { ...made([text("Hm.")], "a"), metadata: { thought: true } },
      made([text("42")], "b"),
    ),
    "artifact of Agno's reasoning": done(
      { ...made([text("Hm.")], "a"), metadata: { agno_content_category: "reasoning" } },
      made([text("42")], "b"),
    ),
    "think tag": answer(text("<think>Hm.\n</think>\n\n42")),
    "think tag over parts": answer(text("<thi"), text("nk>Hm.</thi"), text("nk>42")),
    "think tag in the template": answer(text("Hm.\n</think>\n\n42")),
    "tool call tag": answer(text('<tool_call>{"name":"a"}</tool_call>\n42')),
    "call and response of ADK": answer(
      call("function_call", { id: "1", name: "f" }),
      call("function_response", { id: "1" }),
      text("42"),
    ),
    "call of kagent": answer(text("42"), data({ id: "1" }, { kagent_type: "function_call" })),
    "tool results": answer(text("42"), data({ tool_results: [{ content: "7" }] })),
    "tool use": answer(data({ type: "tool_use", name: "f" }), text("42")),
    "executable code": answer(call("executable_code", { code: "1" }), text("42")),
  }),
  ["two artifacts", done(made([text("One.")], "a"), made([text("Two.")], "b")), "One.\n\nTwo."],
  ["think tag in code", answer(text("Use `<think>`.")), "Use `<think>`."],
  ["data", answer(data({ a: 1 })), { text: json({ a: 1 }), files: ['data.json: {\n  "a": 1\n}'] }],
  [
    "data between texts",
    answer(text("Here:"), data(7), text("Done.")),
    { text: `Here:\n\n${json(7)}\n\nDone.`, files: ["data.json: 7"] },
  ],
  ["data without kind", answer({ data: 7 }), shows7],
  ["nameless data", done(made([data(7)], "scores")), { ...shows7, files: ["scores.json: 7"] }],
  ["rows", answer(data([{ a: 1 }])), { text: "```\na\n1\n```", files: ["data.csv: a\n1"] }],
  [
    "data about calls",
    answer(data({ tool_calls: 3, total: 4 })),
    { text: json({ tool_calls: 3, total: 4 }), files: ['data.json: {\n  "tool_calls": 3,\n  "total": 4\n}'] },
  ],
  ["file", answer(file({ name: "a.txt", ...bytes("hi") })), aFile("a.txt: hi")],
  ["nameless file", done(made([file(bytes("hi", "application/pdf"))], "report")), aFile("report.pdf: hi")],
  [
    "nameless file in an artifact named as a file",
    done(made([file(bytes("hi", "text/html"))], "report.md")),
    aFile("report.md: hi"),
  ],
  ["file without any name", answer(file(bytes("hi"))), aFile("file-1: hi")],
  ["data URI in base64", answer(file({ name: "a.csv", uri: "data:text/csv;base64,YSxi" })), aFile("a.csv: a,b")],
  [
    "nameless data URI",
    done(made([text("Done."), file({ uri: "data:text/html,%3Cb%3Ehi" })], "page")),
    { text: "Done.", files: ["page.html: <b>hi"] },
  ],
  [
    "file elsewhere",
    answer(file({ name: "a.csv", uri: "http://files.example/a.csv" })),
    "a.csv: http://files.example/a.csv",
  ],
  ...reads(none, {
    "only thoughts": answer(thought("Hm.")),
    "only an endless thought": answer(text("<think>Hm.")),
    "only calls": answer(call("function_call", { id: "1", name: "f" })),
    "an empty artifact": { ...answer(), metadata: { model: "m" } },
  }),
];

/** Of tasks that are completed: what is the answer elsewhere. */
const elsewhere: readonly Form[] = [
  ...reads("42", {
    status: doneSaying(said([text("42")])),
    "status and an empty artifact": doneSaying(said([text("42")]), made([])),
    "status and a blank artifact": doneSaying(said([text("42")]), made([text("\n")])),
    "status and a thought": doneSaying(said([text("42")]), made([thought("Hm.")])),
    "status and an artifact": doneSaying(said([text("Done.")]), made([text("42")])),
    "thought and text in the status": doneSaying(said([thought("Hm."), text("42")])),
    "text of the status": doneSaying({ kind: "message", role: "agent", text: "42" }),
    history: { ...done(), history: [asks, said([text("42")])] },
    "history below a thought": { ...doneSaying(said([thought("Hm.")])), history: [asks, said([text("42")])] },
    message: said([text("42")]),
    "message of a thought and text": said([thought("Hm."), text("42")]),
    "message with a think tag": said([text("<thinking>Hm.</thinking>42")]),
  }),
  [
    "data in the status",
    doneSaying(said([text("Here:"), data(7)])),
    { text: `Here:\n\n${json(7)}`, files: ["data.json: 7"] },
  ],
  ["file in the status", doneSaying(said([file({ name: "a.txt", uri: "data:,hi" })]), made([])), aFile("a.txt: hi")],
  ["message of data", said([data(7)]), shows7],
  ...reads(none, {
    "no answer": done(),
    "thoughts in the history": { ...done(), history: [asks, said([thought("Hm.")])] },
    "older history": { ...done(), history: [said([text("Hi.")]), asks] },
    "message of calls": said([call("function_call", { id: "1", name: "f" })]),
  }),
];

/** Of tasks whose requester answers in words. */
const inWords = (words: string): Shown => ({ text: words, awaits: "input" });
const unsaid = "The agent needs more information.";
const goesOn = "_Once that is done, I go on by myself. You can also reply in this thread._";
const calls = { tool_calls: [{ name: "send" }] };
const questions: readonly Form[] = [
  ...reads(inWords("Which city?"), {
    question: question(text("Which city?")),
    "question in data": question(data({ question: "Which city?" })),
    "question as data": question(data("Which city?")),
  }),
  ...reads(inWords("Book it?"), {
    "interrupt of LangGraph": asking(undefined, made([data({ id: "i", value: { question: "Book it?" } })])),
    "interrupt of LangGraph with a text": asking(undefined, made([data({ id: "i", value: "Book it?" })])),
  }),
  [
    "interrupt of LangGraph with more",
    asking(undefined, made([data({ id: "i1", value: { question: "Which?", options: ["a"] } })], "Interrupt")),
    inWords(`${json({ options: ["a"] })}\n\nWhich?`),
  ],
  ...reads(inWords("OK?"), {
    "thought and question": question(thought("Hm."), text("OK?")),
    "think tag and question": question(text("<think>Hm.</think>OK?")),
    "question in the history": { ...asking(undefined), history: [asks, said([text("OK?")])] },
  }),
  ...reads(inWords(`${json({ nights: 2 })}\n\nOK?`), {
    "question and data": question(text("OK?"), data({ nights: 2 })),
    "data and question": asking(said([text("OK?")]), made([data({ nights: 2 })])),
  }),
  [
    "question and words in data",
    question(text("OK?"), data({ message: "Two nights." })),
    inWords(`${json({ message: "Two nights." })}\n\nOK?`),
  ],
  ["call and question", question(text("OK?"), data(calls)), inWords(`${json(calls)}\n\nOK?`)],
  [
    "draft and question",
    asking(said([text("Do you approve it?")]), made([text("Dear all.")])),
    inWords("Dear all.\n\nDo you approve it?"),
  ],
  [
    "draft that the question repeats",
    asking(said([text("Dear all. OK?")]), made([text("Dear all.")])),
    inWords("Dear all. OK?"),
  ],
  [
    "draft with data",
    asking(said([text("May I?")]), made([text("Draft:"), data({ a: 1 })])),
    inWords(`Draft:\n\n${json({ a: 1 })}\n\nMay I?`),
  ],
  ["question of data without words", question(data({ nights: 2 })), inWords(`${json({ nights: 2 })}\n\n${unsaid}`)],
  ...reads(inWords(unsaid), {
    "question after older history": { ...asking(undefined), history: [said([text("Hi.")]), asks] },
    "question without words": asking(undefined),
  }),
  [
    "file and question",
    asking(said([text("OK?")]), made([file({ name: "a.txt", ...bytes("hi") })])),
    { text: "OK?", awaits: "input", files: ["a.txt: hi"] },
  ],
  ["authorization", inState("auth-required")(said([text("Sign in first.")])), { text: `Sign in first.\n\n${goesOn}` }],
  [
    "credentials of ADK",
    inState("auth-required")(
      said([call("function_call", { id: "1", name: "adk_request_credential", args: { secret: "s" } })]),
    ),
    { text: `The agent needs an authorization.\n\n${goesOn}` },
  ],
];

/** Of tasks for which people press a button. */
const mayISend = "Allow A to call send?";
const draft = "Dear all.\n\nMay I?";
const pauses: readonly Form[] = [
  ...reads(
    { card: [mayISend] },
    {
      "confirmation of ADK": question(confirmation),
      "confirmation of kagent": question({
        ...confirmation,
        metadata: { kagent_type: "function_call", kagent_is_long_running: true },
      }),
    },
  ),
  [
    "confirmation of ADK after its words",
    {
      ...question(confirmation),
      history: [asks, said([thought("Hm."), text("I want to.")]), said([call("function_response", { id: "f1" })])],
    },
    { text: "I want to.", card: [mayISend, "I want to."] },
  ],
  ...reads(
    { text: draft, card: [mayISend, draft] },
    {
      "draft and confirmation of ADK": asking(
        said([text("May I?"), confirmation]),
        made([thought("Hm."), text("Dear all.")]),
      ),
      "draft and approval of kagent": asking(
        { ...said([text("May I?")]), extensions: [hitlUri], metadata: { [hitlUri]: approval } },
        made([text("Dear all.")]),
      ),
    },
  ),
  [
    "call of ADK that waits",
    question(
      call("function_call", { id: "1", name: "ask", args: { question: "Why?" } }, { adk_is_long_running: true }),
      call("function_response", { id: "1", response: { status: "pending" } }),
    ),
    { card: ["Why?"] },
  ],
  [
    "interrupt of Strands",
    question(text("It needs input."), data({ interrupts: [{ interruptId: "i", name: "n", reason: "Why?" }] })),
    { text: "It needs input.", card: ["Why?", "It needs input."] },
  ],
];

/** Of tasks that failed. */
const twoNights = made([text("Draft: two nights.")]);
const failures: readonly Form[] = [
  ...reads(
    { text: "No seats.", failed: true },
    {
      failure: failing(text("No seats.")),
      "failure in data": failing(data({ message: "No seats." })),
      "failure with a thought": failing(thought("Hm."), text("No seats.")),
    },
  ),
  [
    "rejection with a think tag",
    inState("rejected")(said([text("<think>Hm.</think>No.")])),
    { text: "No.", failed: true },
  ],
  ["failure of thoughts", failing(thought("Hm.")), { failed: true }],
  ...reads(
    { text: "Draft: two nights.\n\nNo seats.", failed: true },
    {
      "failure below an artifact (J37)": inState("failed")(said([text("No seats.")]), twoNights),
      "rejection below an artifact (J37)": inState("rejected")(said([text("No seats.")]), twoNights),
    },
  ),
  [
    "failure below an artifact, with an exception (J37)",
    inState("failed")(said([text("KeyError: 'city'")]), twoNights),
    { text: "Draft: two nights.", failed: true },
  ],
  [
    "failure below a file (J37)",
    inState("failed")(said([text("No seats.")]), made([file({ name: "a.txt", ...bytes("hi") })])),
    { text: "(Made before it failed, and not passed on: a.txt.)\n\nNo seats.", failed: true },
  ],
  [
    "failure whose artifact alone says why",
    inState("failed")(undefined, made([text("No seats.")])),
    { text: "No seats.", failed: true },
  ],
];

const forms: readonly Form[] = [...inArtifacts, ...elsewhere, ...questions, ...pauses, ...failures];

type Whole = ReturnType<ReturnType<typeof inState>>;

/** Returns the events of a stream: what the task knows already, each artifact, and its status. */
function eventsOf(whole: object): readonly object[] {
  const { status, artifacts, ...more } = whole as Whole;
  if (more.kind === "message") return [whole];
  const { id: taskId, contextId } = ids;
  return [
    { ...more, status: { state: "working" } },
    ...artifacts.map((artifact) => ({ kind: "artifact-update", taskId, contextId, artifact })),
    { kind: "status-update", taskId, contextId, status, final: true },
  ];
}

/** Converts a task or a message of A2A 0.3 to 1.0. */
const toV1 = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toV1);
  if (typeof value !== "object" || value === null) return value;
  const { kind, file: own, ...members } = value as Record<string, unknown>;
  const { name: filename, mimeType: mediaType, bytes: raw, uri: url } = (own ?? {}) as Record<string, unknown>;
  const isPart = kind === "text" || kind === "data" || kind === "file";
  const inner = Object.entries(members).map(([name, member]) => {
    if (name === "state") return [name, `TASK_STATE_${String(member).toUpperCase().replace("-", "_")}`];
    if (name === "role") return [name, `ROLE_${String(member).toUpperCase()}`];
    return [name, name === "data" || name === "metadata" ? member : toV1(member)];
  });
  const other = kind !== undefined && !isPart && kind !== "message" && kind !== "task";
  return {
    ...Object.fromEntries(inner),
    ...(own !== undefined && { raw, url, filename, mediaType }),
    ...(other && { kind }),
  };
};

const task: AgentTask = { run_id: "t1", task_id: "t1", agent_name: "A", input_data: {}, correlation_id: "c1" };
const replyWith = (result: object): AgentReply => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: task.task_id, result })),
});
const adapterOf = (protocol: string) => createAdapters().adapterOf({ protocol, protocol_config: {} });

const wires: readonly [wire: string, read: (whole: object) => Reading | undefined][] = [
  ["A2A 0.3", (whole) => adapterOf("jsonrpc-2.0").fromResponse(replyWith(whole), task)],
  [
    "a stream of A2A 0.3",
    (whole) => {
      const read = adapterOf("jsonrpc-2.0").createEventReader?.(task);
      return eventsOf(whole)
        .map((event) => read?.(replyWith(event)))
        .at(-1);
    },
  ],
  ["A2A 1.0", (whole) => adapterOf("a2a-1.0").fromResponse(replyWith({ [(whole as Whole).kind]: toV1(whole) }), task)],
];

/** Returns the result that the bridge publishes. */
function resultOf(reading: Reading | undefined): AgentResult {
  if (reading?.state !== "ended") throw new Error("the agent works on");
  const { output, failure } = reading;
  return failure === undefined ? successResult(task, output, {}) : failureResult(task, failure);
}

/** Returns what people read of a result. */
async function shownOf(result: AgentResult): Promise<Shown> {
  try {
    const { response_text, files, awaits } = await startBridgedAgent([result]).run();
    const named = files?.map(({ name, bytes: content }) => `${name}: ${Buffer.from(content).toString()}`);
    return { text: response_text, files: named, awaits };
  } catch (error) {
    if (error instanceof ZoneError) return { text: error.data.agent_says, failed: true };
    if (!(error instanceof TaskPaused)) throw error;
    const [asked] = error.awaited as readonly AskedInput[];
    if (asked === undefined) return { text: error.text };
    const { title, body } = asked;
    return { text: error.text, card: body === undefined ? [title] : [title, body] };
  }
}

describe.each(wires)(
  "J2, J3, J8, J9, J12, J37: over %s, a person reads each form of an answer whole",
  (_wire, read) => {
    test.each(forms)("%s", async (_form, whole, shown) => {
      expect(await shownOf(resultOf(read(whole)))).toEqual(typeof shown === "string" ? { text: shown } : shown);
    });
  },
);
