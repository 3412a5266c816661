// suite: rest
import { setTimeout as sleep } from "node:timers/promises";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { ZoneError } from "@crosszone/contracts";
import type { Agent } from "@crosszone/execution";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test, vi } from "vitest";
import type { LogLine } from "@crosszone/testkit/process";
import { type Crosszone, overSocket, startCrosszone } from "../harness/start-crosszone.ts";
import { denials, notices, shownText, tasksStarted, typeCommand } from "../harness/slack-actions.ts";
import { startSeveralWorkspaces } from "../harness/start-several-workspaces.ts";

const agentCalled = (name: string, description = `Does what ${name} does`): Agent => ({
  name,
  description,
  skills: [{ id: "s", name: "s", description: "s", examples: [`please ${name}`] }],
  run: async () => ({ response_text: "done", skill: "s" }),
});
const builtin = createBuiltinAgent();

const ended = async ({ log }: Crosszone): Promise<Record<string, unknown>> =>
  vi.waitUntil(() => log.find(({ event }) => event === "command_ended"));
const listCalls = ({ log }: Crosszone): number =>
  log.filter(({ zone, operation }) => zone === "verification" && operation === "list_agents").length;

describe("S21: /agents", () => {
  test("lists the agents and how to ask them, at once and only to its author", async () => {
    const zones = await startCrosszone({ agents: [builtin, agentCalled("translator"), agentCalled("night owl")] });
    const { run, said } = await typeCommand(zones.slack, { channel: "general" });
    expect(run.status).toBe(200);
    const answer = await said();
    expect(answer).toMatchObject({ channel: "C0GENERAL01", ephemeral_for: "U0ALICE0001", bot_id: "B0CROSSZONE" });
    for (const part of [
      `**${builtin.name}** (answers if you name no agent)`,
      "**translator**",
      "**night owl**",
      "please translator",
    ])
      expect(shownText(answer)).toContain(part);
    expect(shownText(answer)).toContain("ask translator: your question");
    expect(tasksStarted(zones)).toBe(0);
    expect(await ended(zones)).toMatchObject({ verdict: "answered", user_id: "U0ALICE0001", channel: "C0GENERAL01" });
    const { text } = await fetch(`${zones.verification.url}/metrics`).then(async (r) => ({ text: await r.text() }));
    expect(text).toMatch(/slack_commands_total\{.*verdict="answered".*\} 1/);
  });

  test("is acknowledged within Slack's three seconds by a zone that takes long, and answered later", async () => {
    const zones = await startCrosszone({
      verification: ({ zone }) => ({
        zone: {
          call: async (method, params, options) => {
            await sleep(4_000);
            return zone.call(method, params, options);
          },
        },
      }),
    });
    const { run, said } = await typeCommand(zones.slack);
    expect(run).toMatchObject({ status: 200 });
    expect(run.ms).toBeLessThan(3_000);
    expect(shownText(await said())).toContain(builtin.name);
  });

  test("reports an unreachable zone in words, with the reference", async () => {
    const zones = await startCrosszone({
      env: tune({ EXECUTION_RETRY_BUDGET_MS: 300 }, { EXECUTION_URL: "http://127.0.0.1:9/rpc" }),
    });
    const text = shownText(await (await typeCommand(zones.slack)).said());
    expect(text).toContain("cannot be reached right now");
    expect(text).toContain(`Reference: ${String((await ended(zones))["correlation_id"])}`);
  });

  test.each(["server_error", "drop", "rate_limited"] as const)(
    "an answer that Slack does not take once (%s) is brought again, and shown once",
    async (kind) => {
      const zones = await startCrosszone();
      zones.slack.control.setFault({ method: "response_url", kind });
      await (await typeCommand(zones.slack)).said();
      await ended(zones);
      expect(notices(zones)).toHaveLength(1);
    },
  );
});

describe("S9, S10, S21: who may not ask a question may not list the agents", () => {
  test("a stranger hears nothing", async () => {
    const zones = await startCrosszone();
    const { run } = await typeCommand(zones.slack, { user: "stranger" });
    expect(run.status).toBe(200);
    expect((await denials(zones))[0]).toMatchObject({
      reason: "stranger",
      stage: "command",
      kind_of_record: "command",
    });
    expect(await ended(zones)).toMatchObject({ verdict: "denied" });
    expect([listCalls(zones), notices(zones)]).toEqual([0, []]);
  });

  test.each<[string, string, RegExp, { user?: string; channel?: string }]>([
    ["a guest", "guest", /guests/, { user: "gus" }],
    ["who is in a shared channel", "shared_channel", /shared with another/, { channel: "partners" }],
  ])("%s reads why, and nothing else", async (...[, reason, words, typed]) => {
    const zones = await startCrosszone();
    const text = shownText(await (await typeCommand(zones.slack, typed)).said());
    expect(text).toMatch(words);
    expect((await denials(zones))[0]).toMatchObject({ reason });
    expect(listCalls(zones)).toBe(0);
  });

  test("in a channel without the app, it says so", async () => {
    const zones = await startCrosszone();
    zones.slack.control.putChannel({ id: "G0ELSEWHERE", name: "elsewhere", kind: "group", members: ["U0ALICE0001"] });
    const text = shownText(await (await typeCommand(zones.slack, { channel: "elsewhere" })).said());
    expect(text).toContain("I am not in this conversation");
    expect(listCalls(zones)).toBe(0);
  });

  test("when Slack cannot identify the author, nothing is listed", async () => {
    const zones = await startCrosszone();
    zones.slack.control.setFault({ method: "users.info", kind: "server_error", times: 100 });
    const text = shownText(await (await typeCommand(zones.slack)).said());
    expect(text).toContain("could not check");
    expect(listCalls(zones)).toBe(0);
  });

  test("commands count like messages", async () => {
    const zones = await startCrosszone({ env: { MESSAGES_PER_MINUTE: "1" } });
    await (await typeCommand(zones.slack)).said();
    expect(shownText(await (await typeCommand(zones.slack)).said())).toContain("asked a lot");
    expect(listCalls(zones)).toBe(1);
  });
});

describe("a question to an unknown agent", () => {
  test("is answered the same if the agent was disabled after it was listed", async () => {
    const gone = agentCalled("translator");
    gone.run = async () => Promise.reject(new ZoneError("unknown_agent", { agent: "translator" }));
    const zones = await startCrosszone({ agents: [builtin, gone, agentCalled("translators")] });
    const { markdown_text } = await zones.answerTo(zones.write({ text: "ask translator: hello" }));
    expect(markdown_text).toContain("I don't know “translator”");
    expect(markdown_text).toContain("`ask translators: …`");
  });
});

test("U3, S21: /usage shows its author alone their usage and the budgets", async () => {
  const BUDGETS = "person/day=5usd, team/month=2000000tokens";
  const zones = await startCrosszone({ agents: [createBuiltinAgent()], env: { BUDGETS } });
  const { run, said } = await typeCommand(zones.slack, { text: "/usage", channel: "general" });
  expect(run.status).toBe(200);
  const answer = await said();
  expect(answer).toMatchObject({ channel: "C0GENERAL01", ephemeral_for: "U0ALICE0001" });
  const text = shownText(answer);
  expect(text).toContain("**Today:** nothing");
  expect(text).toContain("**You, each day:** $5.00, 0% used, $5.00 left. Resets on ");
  expect(text).toContain("**Your team, each month:** 2,000,000 tokens, shared with others.");
  expect(tasksStarted(zones)).toBe(0);
  const asked = zones.log.filter(({ zone, operation }) => zone === "execution" && operation === "get_usage");
  expect(asked).toHaveLength(1);
});

test("S9, S10, S21: a person whom the policy denies does not see usage", async () => {
  const zones = await startCrosszone();
  const { run } = await typeCommand(zones.slack, { text: "/usage", user: "stranger" });
  expect(run.status).toBe(200);
  await expect
    .poll(() => zones.log.some(({ event, verdict }) => event === "command_ended" && verdict === "denied"))
    .toBe(true);
  expect(zones.log.filter(({ operation }) => operation === "get_usage")).toEqual([]);
});

test("S21: events and commands over a socket are answered the same", async () => {
  const { slack, write, answerTo } = await startCrosszone(overSocket);
  expect((await answerTo(write({ text: "2+2 in words?" }))).text).toContain("four");
  const { run, said } = await typeCommand(slack);
  expect(run.status).toBe(200);
  expect(shownText(await said())).toContain("Agents that you can ask");
});

test("S21, Y1: a command is answered in its own workspace, while the app is installed there", async () => {
  const zones = await startSeveralWorkspaces();
  const [north, south] = zones.slack.slacks;
  if (north === undefined || south === undefined) throw new Error("there are not two workspaces");
  await zones.install(north.workspace.team.id);
  expect(shownText(await (await typeCommand(north)).said())).toContain("Agents that you can ask");
  // Slack knows no command of an app that is not installed.
  const unknown = await (await typeCommand(south)).said();
  expect(unknown).toMatchObject({ user: "USLACKBOT", text: expect.stringContaining("not a valid command") });
  const logged = (): LogLine[] => zones.log.filter(({ event }) => event === "command_ended");
  await vi.waitUntil(() => logged().length > 0);
  expect(logged()).toMatchObject([{ verdict: "answered", team_id: north.workspace.team.id }]);
});
