// suite: rest
import type { AgentSettings } from "@crosszone/contracts";
import type { Message } from "@crosszone/dev-slack";
import { shownText, stateOf } from "@crosszone/dev-slack/client";
import { expect, test, vi } from "vitest";
import { type AgentWork, startAgent, type TestAgent } from "@crosszone/testkit";
import { workflowOf } from "../harness/runs-api.ts";
import { rejectStreams } from "../harness/slack-actions.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

// Each test starts a process, which is slow on a busy machine.
const soon = { timeout: 60_000, interval: 20 };

const step = (id: string, agent_name: string, [text, next_step]: [text: string, next?: string]) => ({
  id,
  type: "agent" as const,
  title: `The ${id} one`,
  agent_name,
  input_mapping: { text },
  next_step,
});
const halves = { collection: ["left", "right"], iterator_variable: "half" };
const story = workflowOf(
  "story",
  [
    step("first", "newer", ["${workflow.input.text}", "each"]),
    {
      id: "each",
      type: "loop",
      title: "Both halves",
      loop_config: { ...halves, loop_body: ["part"], execution_mode: "sequential" },
      next_step: "last",
    },
    step("part", "older", ["${half} of ${first.output.text}"]),
    step("last", "newer", ["${each.output[0].text} ${each.output[1].text}"]),
  ],
  { name: "A story", description: "Begins, goes on and ends.", output_mapping: { text: "${last.output.text}" } },
);

type Stage = Awaited<ReturnType<typeof startWithAgents>> & {
  readonly agent: TestAgent;
  /** Texts of the bot's messages after each edit. */
  readonly edits: readonly string[];
};

/** Starts the story workflow with one server as both of its agents. */
async function startStage(work: AgentWork, { streams } = { streams: false }): Promise<Stage> {
  const agent = await startAgent(work);
  const agents: AgentSettings[] = [
    { name: "newer", url: agent.url },
    { name: "older", url: agent.url, protocol: "simple-a2a" },
  ];
  const env = {
    EXECUTION_FILE: writeAgentsFile(agents),
    AGENT_ORIGINS: agent.origin,
    WORKFLOWS_DIR: writeWorkflows(story),
  };
  const zones = await startWithAgents({ env });
  if (!streams) rejectStreams(zones);
  const edits: string[] = [];
  zones.slack.control.subscribe((event) => {
    if (event.type === "message_changed" && event.message.bot_id !== undefined) edits.push(shownText(event.message));
  });
  return { ...zones, agent, edits };
}

test("R8.7: a run in Slack shows each step as it begins and ends in one message, which the answer replaces", async () => {
  // Each step waits until Slack has shown that it runs.
  const turns = new Map<string, PromiseWithResolvers<void>>();
  const turnOf = (text: string): PromiseWithResolvers<void> => {
    const turn = turns.get(text) ?? Promise.withResolvers<void>();
    turns.set(text, turn);
    return turn;
  };
  const { agent, edits, write, answerTo, replies } = await startStage(async (text) => {
    await turnOf(text).promise;
    return `[${text}]`;
  });
  const question = write({ text: "run story: once" });
  const seen = async (text: string, ...lines: string[]): Promise<void> => {
    await vi.waitFor(() => expect(edits.at(-1)).toBe(`Working on it…\n\n${lines.join("\n")}`), soon);
    turnOf(text).resolve();
  };
  await seen("once", "◐ The first one", "○ Both halves", "\u2003○ The part one", "○ The last one");
  await seen(
    "left of [once]",
    "✓ The first one",
    "◐ Both halves (0/2)",
    "\u2003◐ The part one (0/2)",
    "○ The last one",
  );
  await seen(
    "right of [once]",
    "✓ The first one",
    "◐ Both halves (1/2)",
    "\u2003◐ The part one (1/2)",
    "○ The last one",
  );
  const whole = "[left of [once]] [right of [once]]";
  await seen(whole, "✓ The first one", "✓ Both halves (2/2)", "\u2003✓ The part one (2/2)", "◐ The last one");
  const answer = await answerTo(question, 60_000);
  expect([stateOf(answer), answer.text]).toEqual(["done", expect.stringMatching(/^[^✓]*left of/)]);
  expect(JSON.stringify(answer.blocks?.at(-2))).toMatch(/"Used newer, older · \d+\.\d s"/);
  expect(replies(question)).toHaveLength(1);
  expect(agent.requests.map(({ method, text }) => [method, text])).toEqual([
    ["message/send", "once"],
    ["", "left of [once]"],
    ["", "right of [once]"],
    ["message/send", whole],
  ]);
});

test("R8.7, T5, B12: Stop ends the run and its agent call, and no further step begins", async () => {
  const { agent, edits, write, answerTo, api } = await startStage((text) =>
    text === "stop here" ? "begun" : new Promise<string>(() => undefined),
  );
  const question = write({ text: "run story: stop here" });
  await vi.waitFor(() => expect(edits.at(-1)).toMatch(/◐ The part one/), soon);
  write({ text: "stop", thread_ts: question.ts, channel: question.channel });
  const answer = await answerTo(question, 60_000);
  expect([stateOf(answer), answer.text]).toEqual([
    "stopped",
    expect.stringMatching(/^✓ The first one\n– Both halves.*\n\u2003– The part one.*\n– The last one$/),
  ]);
  await vi.waitFor(() => expect(agent.requests.map(({ left }) => left)).toEqual([false, true]), soon);
  const runs = await api.runs("workflow_id=story");
  expect(runs).toHaveLength(1);
  expect(await api.ended(runs[0]?.run_id ?? "")).toMatchObject({ state: "canceled" });
});

/** Returns the tasks of a streamed message with their status. */
const tasksOf = (message: Message | undefined): unknown[] =>
  ((message?.blocks ?? []) as { type?: unknown; tasks?: Record<string, unknown>[] }[]).flatMap(
    ({ type, tasks = [] }) => (type === "plan" ? tasks.map(({ title, status }) => [title, status]) : []),
  );

test("T1, R8.7: a run is a Slack stream with a card for each step; the Stop button ends it within a second", async () => {
  const held = Promise.withResolvers<string>();
  const { agent, slack, write, replies, answerTo } = await startStage(
    (text) => (text === "cards" ? "begun" : held.promise),
    { streams: true },
  );
  const question = write({ text: "run story: cards" });
  await vi.waitFor(
    () =>
      expect(tasksOf(replies(question)[0])).toEqual([
        ["Answer", "in_progress"],
        ["The first one", "complete"],
        ["Both halves (0/2)", "in_progress"],
        ["\u2003The part one (0/2)", "in_progress"],
        ["The last one", "pending"],
      ]),
    soon,
  );
  expect(replies(question)[0]?.stream?.state).toBe("in_progress");
  await vi.waitFor(() => expect(agent.requests).toHaveLength(2), soon);
  const stoppedAt = performance.now();
  slack.control.stop({ channel: question.channel, thread_ts: question.ts, user: "alice" });
  await vi.waitFor(() => expect(agent.requests.map(({ left }) => left)).toEqual([false, true]), soon);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  const answer = await answerTo(question, 60_000);
  expect([stateOf(answer), answer.text]).toEqual(["stopped", expect.stringMatching(/^✓ The first one\n– Both halves/)]);
  expect(replies(question)).toHaveLength(1);
});
