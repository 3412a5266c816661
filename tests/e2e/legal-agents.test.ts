import { expect, test } from "vitest";
import { type BrokenAgent, cardOf, result, stream, task, askBrokenAgents } from "../harness/start-broken-agents.ts";

/** A legal form of an agent's answer: a task or a message of A2A 0.3, and the whole message that a person reads, with the files as `name: content`. */
type LegalForm = readonly [form: string, result: object, words: string, files?: readonly string[]];

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
const inState =
  (state: string) =>
  (message: object | undefined, ...artifacts: readonly object[]) => ({
    ...task,
    status: { state, message },
    artifacts,
  });

const done = (...artifacts: readonly object[]) => inState("completed")(undefined, ...artifacts);
const doneSaying = inState("completed");
const asking = inState("input-required");
const answer = (...parts: Parts) => done(made(parts));
const question = (...parts: Parts) => asking(said(parts));

const none = "The agent finished without an answer.";
const how = "\n\n_Reply in this thread to answer._";
const unsaid = `The agent needs more information.${how}`;
const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const aFile = "Here is a file.";

const hitl = "https://kagent.dev/extensions/hitl/v1";
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
const waits = "_I need a decision before I can go on._\n\nNeeds a decision: ";
/** The message about the pause, and that of the approval. */
const draftTwice = "Dear all.\n\nMay I?\n\nDear all.\n\nMay I?";
const failed = (name: string, why?: string) =>
  why === undefined
    ? `The agent “${name}” could not finish this and did not say why.\n_Reference: …_`
    : `The agent “${name}” could not finish this. It says:\n> ${why}\n_Reference: …_`;

/** Of tasks that are completed: what is the answer is in artifacts. */
const inArtifacts: readonly LegalForm[] = [
  ["text", answer(text("42")), "42"],
  ["several texts are one", answer(text("4"), text("2")), "42"],
  ["two artifacts", done(made([text("One.")], "a"), made([text("Two.")], "b")), "One.\n\nTwo."],
  ["kind called type", answer({ type: "text", text: "42" }), "42"],
  ["part without kind", answer({ text: "42" }), "42"],
  ["part of an unknown kind", answer({ kind: "markdown", text: "42" }), "42"],
  ["artifact with text", done({ artifactId: "a", text: "42" }), "42"],
  ["data", answer(data({ a: 1 })), json({ a: 1 }), ['data.json: {\n  "a": 1\n}']],
  [
    "data between texts",
    answer(text("Here:"), data(7), text("Done.")),
    `Here:\n\n${json(7)}\n\nDone.`,
    ["data.json: 7"],
  ],
  ["data without kind", answer({ data: 7 }), json(7), ["data.json: 7"]],
  ["rows", answer(data([{ a: 1 }])), "```\na\n1\n```", ["data.csv: a\n1"]],
  ["nameless data", done(made([data(7)], "scores")), json(7), ["scores.json: 7"]],
  ["file", answer(file({ name: "a.txt", ...bytes("hi") })), aFile, ["a.txt: hi"]],
  ["nameless file", done(made([file(bytes("hi", "application/pdf"))], "report")), aFile, ["report.pdf: hi"]],
  [
    "nameless file in an artifact named as a file",
    done(made([file(bytes("hi", "text/html"))], "report.md")),
    aFile,
    ["report.md: hi"],
  ],
  ["file without any name", answer(file(bytes("hi"))), aFile, ["file-1: hi"]],
  ["data URI in base64", answer(file({ name: "a.csv", uri: "data:text/csv;base64,YSxi" })), aFile, ["a.csv: a,b"]],
  [
    "nameless data URI",
    done(made([text("Done."), file({ uri: "data:text/html,%3Cb%3Ehi" })], "page")),
    "Done.",
    ["page.html: <b>hi"],
  ],
  [
    "file elsewhere",
    answer(file({ name: "a.csv", uri: "http://files.example/a.csv" })),
    "a.csv: http://files.example/a.csv",
  ],
  ["thought part", answer(thought("Hm."), text("42")), "42"],
  ["part of type reasoning", answer(text("Hm.", { type: "reasoning" }), text("42")), "42"],
  ["part of kind thinking", answer({ kind: "thinking", text: "Hm." }, text("42")), "42"],
  [
    "artifact of a thought",
    done({ ...made([text("Hm.")], "a"), metadata: { thought: true } }, made([text("42")], "b")),
    "42",
  ],
  [
    "artifact of Agno's reasoning",
    done({ ...made([text("Hm.")], "a"), metadata: { agno_content_category: "reasoning" } }, made([text("42")], "b")),
    "42",
  ],
  ["think tag", answer(text("<think>Hm.\n</think>\n\n42")), "42"],
  ["think tag over parts", answer(text("<thi"), text("nk>Hm.</thi"), text("nk>42")), "42"],
  ["think tag in the template", answer(text("Hm.\n</think>\n\n42")), "42"],
  ["think tag in code", answer(text("Use `<think>`.")), "Use `<think>`."],
  ["tool call tag", answer(text('<tool_call>{"name":"a"}</tool_call>\n42')), "42"],
  [
    "call and response of ADK",
    answer(call("function_call", { id: "1", name: "f" }), call("function_response", { id: "1" }), text("42")),
    "42",
  ],
  ["call of kagent", answer(text("42"), data({ id: "1" }, { kagent_type: "function_call" })), "42"],
  ["tool results", answer(text("42"), data({ tool_results: [{ content: "7" }] })), "42"],
  ["tool use", answer(data({ type: "tool_use", name: "f" }), text("42")), "42"],
  ["executable code", answer(call("executable_code", { code: "1" }), text("42")), "42"],
  [
    "data about calls",
    answer(data({ tool_calls: 3, total: 4 })),
    json({ tool_calls: 3, total: 4 }),
    ['data.json: {\n  "tool_calls": 3,\n  "total": 4\n}'],
  ],
  ["only thoughts", answer(thought("Hm.")), none],
  ["only an endless thought", answer(text("<think>Hm.")), none],
  ["only calls", answer(call("function_call", { id: "1", name: "f" })), none],
  ["an empty artifact", { ...answer(), metadata: { model: "m" } }, none],
];

/** Of tasks that are completed: what is the answer elsewhere. */
const elsewhere: readonly LegalForm[] = [
  ["no answer", done(), none],
  ["status", doneSaying(said([text("42")])), "42"],
  ["status and an empty artifact", doneSaying(said([text("42")]), made([])), "42"],
  ["status and a blank artifact", doneSaying(said([text("42")]), made([text("\n")])), "42"],
  ["status and a thought", doneSaying(said([text("42")]), made([thought("Hm.")])), "42"],
  ["status and an artifact", doneSaying(said([text("Done.")]), made([text("42")])), "42"],
  ["data in the status", doneSaying(said([text("Here:"), data(7)])), `Here:\n\n${json(7)}`, ["data.json: 7"]],
  ["file in the status", doneSaying(said([file({ name: "a.txt", uri: "data:,hi" })]), made([])), aFile, ["a.txt: hi"]],
  ["thought and text in the status", doneSaying(said([thought("Hm."), text("42")])), "42"],
  ["text of the status", doneSaying({ kind: "message", role: "agent", text: "42" }), "42"],
  ["history", { ...done(), history: [asks, said([text("42")])] }, "42"],
  ["history below a thought", { ...doneSaying(said([thought("Hm.")])), history: [asks, said([text("42")])] }, "42"],
  ["thoughts in the history", { ...done(), history: [asks, said([thought("Hm.")])] }, none],
  ["older history", { ...done(), history: [said([text("Hi.")]), asks] }, none],
  ["message", said([text("42")]), "42"],
  ["message of a thought and text", said([thought("Hm."), text("42")]), "42"],
  ["message with a think tag", said([text("<thinking>Hm.</thinking>42")]), "42"],
  ["message of calls", said([call("function_call", { id: "1", name: "f" })]), none],
  ["message of data", said([data(7)]), json(7), ["data.json: 7"]],
];

/** Of tasks that wait for a person. */
const questions: readonly LegalForm[] = [
  ["question", question(text("Which city?")), `Which city?${how}`],
  ["question in data", question(data({ question: "Which city?" })), `Which city?${how}`],
  ["question as data", question(data("Which city?")), `Which city?${how}`],
  [
    "interrupt of LangGraph",
    asking(undefined, made([data({ id: "i1", value: { question: "Book it?" } })], "Interrupt")),
    `Book it?${how}`,
  ],
  [
    "interrupt of LangGraph with a text",
    asking(undefined, made([data({ id: "i1", value: "Book it?" })], "Interrupt")),
    `Book it?${how}`,
  ],
  [
    "interrupt of LangGraph with more",
    asking(undefined, made([data({ id: "i1", value: { question: "Which?", options: ["a"] } })], "Interrupt")),
    `${json({ options: ["a"] })}\n\nWhich?${how}`,
  ],
  ["question of data without words", question(data({ nights: 2 })), `${json({ nights: 2 })}\n\n${unsaid}`],
  ["question and data", question(text("OK?"), data({ nights: 2 })), `${json({ nights: 2 })}\n\nOK?${how}`],
  [
    "question and words in data",
    question(text("OK?"), data({ message: "Two nights." })),
    `${json({ message: "Two nights." })}\n\nOK?${how}`,
  ],
  [
    "draft and question",
    asking(said([text("Do you approve it?")]), made([text("Dear all.")])),
    `Dear all.\n\nDo you approve it?${how}`,
  ],
  [
    "draft that the question repeats",
    asking(said([text("Dear all. OK?")]), made([text("Dear all.")])),
    `Dear all. OK?${how}`,
  ],
  [
    "data and question",
    asking(said([text("OK?")]), made([data({ nights: 2 })])),
    `${json({ nights: 2 })}\n\nOK?${how}`,
  ],
  [
    "file and question",
    asking(said([text("OK?")]), made([file({ name: "a.txt", ...bytes("hi") })])),
    `OK?${how}`,
    ["a.txt: hi"],
  ],
  ["thought and question", question(thought("Hm."), text("OK?")), `OK?${how}`],
  ["think tag and question", question(text("<think>Hm.</think>OK?")), `OK?${how}`],
  [
    "call and question",
    question(text("OK?"), data({ tool_calls: [{ name: "send" }] })),
    `${json({ tool_calls: [{ name: "send" }] })}\n\nOK?${how}`,
  ],
  ["question in the history", { ...asking(undefined), history: [asks, said([text("OK?")])] }, `OK?${how}`],
  ["question after older history", { ...asking(undefined), history: [said([text("Hi.")]), asks] }, unsaid],
  ["question without words", asking(undefined), unsaid],
  [
    "draft with data",
    asking(said([text("May I?")]), made([text("Draft:"), data({ a: 1 })])),
    `Draft:\n\n${json({ a: 1 })}\n\nMay I?${how}`,
  ],
  [
    "confirmation of kagent",
    question({ ...confirmation, metadata: { kagent_type: "function_call", kagent_is_long_running: true } }),
    `${waits}Allow confirmation-of-kagent to call send?`,
  ],
  ["confirmation of ADK", question(confirmation), `${waits}Allow confirmation-of-ADK to call send?`],
  [
    "confirmation of ADK after its words",
    {
      ...question(confirmation),
      history: [asks, said([thought("Hm."), text("I want to.")]), said([call("function_response", { id: "f1" })])],
    },
    "I want to.\n\nI want to.",
  ],
  [
    "draft and confirmation of ADK",
    asking(said([text("May I?"), confirmation]), made([thought("Hm."), text("Dear all.")])),
    draftTwice,
  ],
  [
    "draft and approval of kagent",
    asking(
      { ...said([text("May I?")]), extensions: [hitl], metadata: { [hitl]: approval } },
      made([text("Dear all.")]),
    ),
    draftTwice,
  ],
  [
    "call of ADK that waits",
    question(
      call("function_call", { id: "1", name: "ask", args: { question: "Why?" } }, { adk_is_long_running: true }),
      call("function_response", { id: "1", response: { status: "pending" } }),
    ),
    `${waits}Why?`,
  ],
  [
    "interrupt of Strands",
    question(text("It needs input."), data({ interrupts: [{ interruptId: "i", name: "n", reason: "Why?" }] })),
    "It needs input.\n\nIt needs input.",
  ],
  [
    "authorization",
    inState("auth-required")(said([text("Sign in first.")])),
    "Sign in first.\n\n_Once that is done, reply in this thread to continue._",
  ],
  [
    "credentials of ADK",
    inState("auth-required")(
      said([call("function_call", { id: "1", name: "adk_request_credential", args: { secret: "s" } })]),
    ),
    "The agent needs an authorization.\n\n_Once that is done, reply in this thread to continue._",
  ],
];

/** Of tasks that failed. */
const failures: readonly LegalForm[] = [
  ["failure", inState("failed")(said([text("No seats.")])), failed("failure", "No seats.")],
  [
    "failure-in-data",
    inState("failed")(said([data({ message: "No seats." })])),
    failed("failure-in-data", "No seats."),
  ],
  [
    "failure-with-a-thought",
    inState("failed")(said([thought("Hm."), text("No seats.")])),
    failed("failure-with-a-thought", "No seats."),
  ],
  [
    "rejection-with-a-think-tag",
    inState("rejected")(said([text("<think>Hm.</think>No.")])),
    failed("rejection-with-a-think-tag", "No."),
  ],
  ["failure-of-thoughts", inState("failed")(said([thought("Hm.")])), failed("failure-of-thoughts")],
];

const legalForms: readonly LegalForm[] = [...inArtifacts, ...elsewhere, ...questions, ...failures];

type Task = typeof task & { readonly kind: string; readonly status: object; readonly artifacts?: readonly object[] };

/** Streams a task: what it knows already, each artifact, and its status. */
function streamed(whole: object): BrokenAgent["answer"] {
  const { status, artifacts = [], ...more } = whole as Task;
  if (more.kind === "message") return stream(whole);
  const { id: taskId, contextId } = task;
  return stream(
    { ...more, status: { state: "working" } },
    ...artifacts.map((artifact) => ({ kind: "artifact-update", taskId, contextId, artifact })),
    { kind: "status-update", taskId, contextId, status, final: true },
  );
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

const wires: Readonly<Record<string, (whole: object) => Pick<BrokenAgent, "answer" | "card">>> = {
  "A2A 0.3": (whole) => ({ answer: result(whole) }),
  "a stream of A2A 0.3": (whole) => ({ card: cardOf("0.3"), answer: streamed(whole) }),
  "A2A 1.0": (whole) => ({
    card: cardOf("1.0", { capabilities: {} }),
    answer: result({ [(whole as Task).kind]: toV1(whole) }),
  }),
};

test.each(Object.keys(wires))(
  "J2, J3, J8, J9, J12: over %s, a person reads each form of an answer whole",
  { timeout: 120_000 },
  async (wire) => {
    const nameOf = (form: string) => form.replaceAll(/\W+/g, "-");
    const agents = legalForms.map(([form, whole, words]) => [nameOf(form), { words, ...wires[wire]?.(whole) }]);
    const expected = legalForms.map(([form, , words, files = []]) => [nameOf(form), { words, files }]);
    const { read } = await askBrokenAgents(Object.fromEntries(agents) as Record<string, BrokenAgent>);
    // An approval and a file have messages of their own.
    await expect.poll(read, { timeout: 30_000, interval: 200 }).toEqual(Object.fromEntries(expected));
  },
);
