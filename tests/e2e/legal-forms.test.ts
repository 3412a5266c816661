import { failureSentences } from "@crosszone/assistant";
import { createAssistant, openModel } from "@crosszone/assistant/runtime";
import { frames, type ModelReply, named, sse, startModelServer } from "@crosszone/assistant/testing";
import type { Message } from "@crosszone/dev-slack";
import { type Agent, createAssistantAgent } from "@crosszone/execution";
import { createTracer } from "@crosszone/service-kit/tracing";
import { expect, test, vi } from "vitest";
import {
  artifact,
  type BrokenAgent,
  cardOf,
  completed,
  piece,
  result,
  says,
  startBrokenAgents,
  stream,
  task,
} from "../harness/start-broken-agents.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

const nothing = async () => undefined;

// All forms are in `legal-answers.test.ts`, `legal-forms.test.ts` and `legal-streams.test.ts`. These are one for each way to a person.

const reference = "_Reference: …_";
const waits = "_I need a decision before I can go on._";
const confirmation = {
  data: {
    id: "c1",
    name: "adk_request_confirmation",
    args: { originalFunctionCall: { id: "f1", name: "send", args: { to: "all" } }, toolConfirmation: {} },
  },
  metadata: { adk_type: "function_call", adk_is_long_running: true },
};

/** Agents, and all that a person reads: the words of the messages, then the files as `name: content`. */
const agents: Readonly<Record<string, BrokenAgent & { readonly reads: readonly string[] }>> = {
  "in-artifacts": {
    answer: result({
      ...task,
      status: { state: "completed" },
      artifacts: [artifact, { artifactId: "d", parts: [{ kind: "data", data: 7 }] }],
    }),
    words: "",
    reads: ["42\n\n```json\n7\n```", "data.json: 7"],
  },
  "asks-in-a-stream": {
    answer: stream({ ...task, status: { state: "working" } }, piece("Dear all."), {
      ...completed,
      status: { state: "input-required", message: says("<think>Hm.</think>May I?") },
    }),
    card: cardOf("0.3"),
    words: "",
    reads: ["Dear all.\n\nMay I?\n\n_Reply in this thread to answer._"],
  },
  "late-in-a-stream": { answer: stream(completed, piece("42")), card: cardOf("0.3"), words: "", reads: ["42"] },
  "confirms-in-1.0": {
    answer: result({
      task: {
        id: "task-9",
        contextId: "ctx-1",
        status: {
          state: "TASK_STATE_INPUT_REQUIRED",
          message: { role: "ROLE_AGENT", messageId: "m1", parts: [confirmation] },
        },
      },
    }),
    card: cardOf("1.0", { capabilities: {} }),
    words: "",
    reads: ["Needs a decision: Allow confirms-in-1.0 to call send?", waits],
  },
  fails: {
    answer: result({ ...task, status: { state: "failed", message: says("No seats.") } }),
    words: "",
    reads: [`The agent “fails” could not finish this. It says:\n> No seats.\n${reference}`],
  },
  "fails-with-an-exception": {
    answer: result({ ...task, status: { state: "failed", message: says("Agent execution error: no such table") } }),
    words: "",
    reads: [`The agent “fails-with-an-exception” could not finish this and did not say why.\n${reference}`],
  },
};

type Wire = "openai-compatible" | "anthropic" | "bedrock" | "openai";

/** What each model sends to its requests in turn, and all that a person reads. */
const models: Readonly<Record<Wire, { readonly sends: readonly ModelReply[]; readonly reads: string }>> = {
  "openai-compatible": {
    sends: [
      {
        body: sse(
          { choices: [{ delta: { tool_calls: [{ id: "c", function: { name: "lookup", arguments: "{}" } }] } }] },
          "data: [DONE]\n\n",
        ),
      },
      { body: sse({ choices: [{ delta: { content: "<think>Hm.</think>Found 7." }, finish_reason: "eos" }] }) },
    ],
    reads: "Found 7.",
  },
  anthropic: {
    sends: [
      {
        body: named(
          { type: "message_start", message: { id: "m", model: "c", role: "assistant", content: [] } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "It is" } },
          { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 3 } },
        ),
      },
    ],
    reads: `It is\n\n_This answer is incomplete. ${failureSentences.output_limit}_`,
  },
  bedrock: {
    sends: [
      {
        body: frames(
          ["messageStart", { role: "assistant" }],
          ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "It is 42." } }],
          ["messageStop", { stopReason: "end_turn" }],
        ),
      },
    ],
    reads: "It is 42.",
  },
  openai: {
    sends: [{ body: sse({ error: { message: "used up", code: "insufficient_quota" } }) }],
    reads: `${failureSentences.quota}\n${reference}`,
  },
};

test("J2, J3, J4, J6, J7, J8, J11: a person reads legal answers of agents and models whole", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDPLANTED");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "planted-key");
  const { settings, calls } = await startBrokenAgents(agents);
  const asked = new Map<string, number>();
  const { url } = await startModelServer(({ path }) => {
    const wire = path.split("/")[1] as Wire;
    const times = asked.get(wire) ?? 0;
    asked.set(wire, times + 1);
    return models[wire].sends[times];
  });
  const zones = await startCrosszone({
    agents: [assistantOf(url)],
    env: { EXECUTION_FILE: writeAgentsFile(settings), AGENT_ORIGINS: "http://127.0.0.1:*" },
  });
  const contentOf = (id: string) => zones.slack.control.file(id).bytes.toString();
  const read = (root: Message): readonly string[] =>
    zones
      .replies(root)
      .flatMap(({ text, files }) => files?.map(({ name, id }) => `${name}: ${contentOf(id)}`) ?? [text])
      .map((text) => text.replace(/^\*\*.*\*\*\n\n/, "").replace(/Reference: [^_]*/, "Reference: …"))
      .toSorted();
  const questions = [
    ...Object.entries(agents).map(([name, { reads }]) => [`ask ${name}: Hello`, reads] as const),
    ...Object.entries(models).map(([wire, { reads }]) => [`With ${wire}`, [reads]] as const),
  ].map(([text, reads]) => [zones.write({ text }), reads] as const);
  for (const [root, reads] of questions) await expect.poll(() => read(root)).toEqual(reads);
  const sent = [...calls].map(([name, all]) => [name, all.filter(({ method }) => method !== "tasks/get").length]);
  expect(sent).toEqual(Object.keys(agents).map((name) => [name, 1]));
  const log = JSON.stringify(zones.log);
  expect(log).toContain("quota: AI_APICallError");
  expect(log).not.toContain("planted-key");
});

/** The assistant of a zone. Its model for the question `With openai` is at `/openai`. */
function assistantOf(url: string): Agent {
  const run = async () => ({ response_text: "7" });
  const lookUp: Agent = { name: "lookup", description: "Looks up.", skills: [], run };
  return createAssistantAgent({
    choose: async (asked) => {
      const wire = (asked as { readonly text: string }).text.replace("With ", "") as Wire;
      const baseUrl = `${url}/${wire}${wire === "bedrock" ? "" : "/v1"}`;
      const model = await openModel(wire, "m1", { apiKey: "planted-key", baseUrl, region: "eu-central-1" });
      const limits = { backoffMs: 1, attempts: 1 };
      return { assistant: createAssistant({ model, limits, emit: () => undefined }), instructions: undefined };
    },
    modelLabel: "m1",
    listAgents: async () => [lookUp],
    trusted: new Set(),
    mcp: undefined,
    tracer: createTracer(),
    showDetail: false,
    memoryOf: () => undefined,
    spendingOf: () => ({ reserve: async () => ({ recordUse: nothing }), callTool: async () => nothing }),
    approvalFor: () => ({ needed: false }) as never,
    emit: () => undefined,
  });
}
