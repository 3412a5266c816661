import type { Client, ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { approvalBy, askingAgent, chooseInput, formInput, ownDecision, textInput } from "../../testing/mcp-agents.ts";
import { forms, modernRequest, tasks, tasksSession } from "../../testing/modern-request.ts";
import { startAskedZone, type AskedZone } from "../../testing/start-asked-zone.ts";

type Form = Extract<ElicitRequest["params"], { readonly requestedSchema: unknown }>;

interface Shown {
  readonly isError?: boolean;
  readonly structuredContent: {
    readonly task_id: string;
    readonly state: string;
    readonly text: string;
    readonly inputs: readonly { readonly request_id: string; readonly action?: { readonly digest: string } }[];
  };
}

const ask = (name: string) => ({ name: `ask_${name}`, arguments: { message: "go" } });
const three = askingAgent("three", [textInput, chooseInput, formInput]);
const answers: Record<string, Record<string, string | number>> = {
  "three asks: Which city?": { value: "Kyiv" },
  "three asks: How fast?": { value: "fast" },
  "three asks: Who?": { name: "Ada", age: 36 },
};
const answered = JSON.stringify([
  { verdict: "answer", value: "Kyiv" },
  { verdict: "answer", value: "fast" },
  { verdict: "answer", values: { name: "Ada", age: 36 } },
]);

/** Connects a client whose person answers forms. */
async function connectPerson(mcp: AskedZone, program: string, answer: (form: Form) => ElicitResult): Promise<Client> {
  const client = await mcp.connect(program, {
    versionNegotiation: { mode: "auto" },
    capabilities: { elicitation: { form: {} } },
  });
  client.setRequestHandler("elicitation/create", async ({ params }) => answer(params as Form));
  return client;
}

const accept = ({ message }: Form): ElicitResult => ({ action: "accept", content: answers[message] ?? {} });
const call = async (client: Client, request: { name: string; arguments: Record<string, unknown> }) =>
  (await client.callTool(request)) as unknown as Shown;

test("a person at the client answers text, choose and form, in one call", async () => {
  const seen: Form[] = [];
  const mcp = await startAskedZone([three]);
  const client = await connectPerson(mcp, "ci", (form) => {
    seen.push(form);
    return accept(form);
  });
  expect((await call(client, ask("three"))).structuredContent).toMatchObject({ state: "success", text: answered });
  expect(seen[1]?.requestedSchema).toMatchObject({
    properties: {
      value: {
        oneOf: [
          { const: "slow", title: "Slowly" },
          { const: "fast", title: "At once" },
        ],
      },
    },
  });
  expect(seen[2]?.requestedSchema).toEqual(formInput.schema);
});

test("the same with the extension of tasks: the answers arrive by tasks/update", async () => {
  const mcp = await startAskedZone([three]);
  const client = await mcp.connect("ci");
  const onInputRequest = async (incoming: unknown): Promise<never> =>
    accept((incoming as { readonly params: Form }).params) as never;
  const session = tasksSession(mcp, client, { program: "ci", onInputRequest });
  onTestFinished(() => session.close());
  const { outcome } = await (await session.callTool("ask_three", { message: "go" })).settle();
  expect(outcome).toMatchObject({ status: "completed", result: { structuredContent: { text: answered } } });
});

test("a person who declines denies, and one who dismisses the form is not asked again", async () => {
  const mcp = await startAskedZone([askingAgent("one", [textInput])]);
  const declines = await connectPerson(mcp, "ci", () => ({ action: "decline" }));
  expect((await call(declines, ask("one"))).structuredContent.text).toBe('[{"verdict":"deny"}]');
  let times = 0;
  const dismisses = await connectPerson(mcp, "ci", () => {
    times += 1;
    return { action: "cancel" };
  });
  expect((await call(dismisses, ask("one"))).structuredContent).toMatchObject({ state: "input_required" });
  expect(times).toBe(1);
});

describe.each(["auto", "legacy"] as const)("without elicitation, %s", (mode) => {
  test("the result says how to answer, and answer_input does", async () => {
    const client = await (await startAskedZone([three])).connect("ci", { versionNegotiation: { mode } });
    let { structuredContent: shown } = await call(client, ask("three"));
    const rounds = [{ value: "Kyiv" }, { value: "fast" }, { values: { name: "Ada", age: 36 } }];
    for (const round of rounds) {
      const { task_id, text, inputs } = shown;
      const request_id = inputs[0]?.request_id ?? "";
      expect(text).toContain(`call answer_input with task_id "${task_id}", request_id "${request_id}"`);
      const wrong = await call(client, { name: "answer_input", arguments: { task_id, request_id, values: { x: 1 } } });
      expect(wrong).toMatchObject({ isError: true, structuredContent: { error: "invalid_params" } });
      const given = { name: "answer_input", arguments: { task_id, request_id, ...round } };
      ({ structuredContent: shown } = await call(client, given));
      // The response was lost, and the call repeated.
      ({ structuredContent: shown } = await call(client, given));
    }
    expect(shown).toMatchObject({ state: "success", text: answered });
  });
});

test("a client never approves: it reads where people decide, and a program that may decide uses answer_input", async () => {
  const bank = [askingAgent("bank", [approvalBy("U_BOSS")]), askingAgent("till", [approvalBy("token:boss")])];
  const mcp = await startAskedZone(bank);
  await mcp.zone.inputs.requests.follow("verification");
  const client = await connectPerson(mcp, "ci", () => ({ action: "accept", content: { value: "approve" } }));
  const { structuredContent: asked } = await call(client, ask("bank"));
  expect(asked).toMatchObject({ state: "input_required", inputs: [{ kind: "approve", yours: false }] });
  expect(asked.text).toContain("Only U_BOSS can decide this, in Slack. It waits until ");
  const { task_id, inputs } = asked;
  const decision = {
    task_id,
    request_id: inputs[0]?.request_id,
    verdict: "approve",
    digest: inputs[0]?.action?.digest,
  };
  const denied = await call(client, { name: "answer_input", arguments: decision });
  expect(denied).toMatchObject({ isError: true, structuredContent: { outcome: "not_eligible" } });
  expect((await call(client, { name: "get_task", arguments: { task_id } })).structuredContent).toEqual(asked);
  const update = {
    taskId: task_id,
    inputResponses: { [String(decision.request_id)]: { action: "accept", content: {} } },
  };
  await modernRequest(mcp, "ci", { method: "tasks/update", params: update, can: { ...tasks, ...forms } });
  const read = await modernRequest(mcp, "ci", { method: "tasks/get", params: { taskId: task_id }, can: tasks });
  expect(read.result).toMatchObject({
    status: "working",
    statusMessage: expect.stringContaining("Only U_BOSS can decide") as string,
  });

  const boss = await connectPerson(mcp, "boss", () => ({ action: "accept", content: { value: "approve" } }));
  const own = (await call(boss, ask("till"))).structuredContent;
  const given = { task_id: own.task_id, request_id: own.inputs[0]?.request_id, verdict: "approve" };
  expect(own.text).toContain(`digest "${own.inputs[0]?.action?.digest}"`);
  const blind = await call(boss, { name: "answer_input", arguments: given });
  expect(blind).toMatchObject({ isError: true, structuredContent: { outcome: "changed" } });
  const digest = own.inputs[0]?.action?.digest;
  const approved = await call(boss, { name: "answer_input", arguments: { ...given, digest } });
  expect(approved.structuredContent).toMatchObject({ state: "success", text: '[{"verdict":"approve"}]' });
});

test("a state of another program, or a changed one, is refused", async () => {
  const mcp = await startAskedZone([askingAgent("one", [textInput])]);
  const send = (program: string, more: object) =>
    modernRequest(mcp, program, { method: "tools/call", params: { ...ask("one"), ...more }, can: forms });
  const { result } = await send("ci", {});
  expect(result).toMatchObject({ resultType: "input_required" });
  const requestState = String(result?.["requestState"]);
  const [id = ""] = Object.keys(result?.["inputRequests"] ?? {});
  const inputResponses = { [id]: { action: "accept", content: { value: "Rome" } } };
  const refused = { code: -32_602, message: "Invalid or expired requestState" };
  expect((await send("other", { requestState, inputResponses })).error).toMatchObject(refused);
  const changed = requestState.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const state of [changed, "", "x".repeat(10_000), "'; drop table job; --"])
    expect({ state, ...(await send("ci", { requestState: state, inputResponses })).error }).toMatchObject(refused);
  const ended = await send("ci", { requestState, inputResponses });
  expect(ended.result).toMatchObject({ structuredContent: { text: '[{"verdict":"answer","value":"Rome"}]' } });
});

test("a request that others decide is not asked of the client's person", async () => {
  const others = { ...textInput, decide: { ...ownDecision, requester: false, people: ["U_ELSE"] } };
  const mcp = await startAskedZone([askingAgent("one", [others])]);
  await mcp.zone.inputs.requests.follow("verification");
  const client = await connectPerson(mcp, "ci", () => ({ action: "accept", content: { value: "x" } }));
  expect((await call(client, ask("one"))).structuredContent).toMatchObject({ inputs: [{ yours: false }] });
});
