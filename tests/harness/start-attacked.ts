import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InputRequest } from "@crosszone/contracts";
import { startDevSlack, type Message } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { type Agent, type AskedInput, type ExecutionDeps, type RunInputs, TaskPaused } from "@crosszone/execution";
import { tune } from "@crosszone/testkit/tune";
import { expect } from "vitest";
import { adminToken } from "./runs-api.ts";
import { startExecution } from "./start-execution.ts";
import type { LogLine } from "./start-process.ts";
import { startVerification } from "./start-verification.ts";

export const [alice, bob, chiyo, partner] = ["U0ALICE0001", "U0BOB000001", "U0CHIYO0001", "U0PARTNER01"] as const;
export const oncall = "S0ONCALL001";

type Requests = ExecutionDeps["inputs"]["requests"];

/** What the agent asks when a message names it, and what it does after the decision; its answer is the returned text. */
export interface Plan {
  readonly asks: readonly AskedInput[];
  readonly after?: (inputs: RunInputs, requests: Requests) => Promise<string>;
}

/** A call with these arguments. */
export const call = (tool: string) => ({ agent: "builtin", tool, arguments: { cents: 1_200, to: "Acme" } });

/** An approval of the call of a tool that has its title. */
export const approval = (title: string, more: Partial<AskedInput> = {}): AskedInput => ({
  key: title,
  kind: "approve",
  title,
  action: call(title),
  ...more,
});

/** Two members of the group decide. */
export const byGroup = { people: [], groups: [oncall], requester: false, approve: 2, deny: 1 };

export type Attacked = Awaited<ReturnType<typeof startAttacked>>;

/** A request, and the card that shows it. */
export interface Target {
  readonly request: InputRequest;
  readonly card: Message;
}

/** By default bob decides, and alice, who asks, does not. Calls of `brief` expire, and approvals of `late` are void, after a second. */
const approvals = {
  default: { decide: { people: [bob] } },
  rules: [
    { tool: "brief", decide: { people: [bob] }, expires_in: "1s" },
    { tool: "late", decide: { people: [bob] }, execute_within: "1s" },
  ],
};

const many = { burst: 1_000, per_minute: 60_000 };

/** Starts both zones, with an agent that asks people, and the local Slack; call `stop` in the end. A message that names no plan is repeated by the agent. */
export async function startAttacked(plans: Readonly<Record<string, Plan>>) {
  const log: LogLine[] = [];
  const token = "link-token-of-thirty-two-characters";
  let inputs: ExecutionDeps["inputs"] | undefined;
  const requests = (): Requests => (inputs as ExecutionDeps["inputs"]).requests;
  /** Returns a request as it is stored. */
  const stored = async (id: string) => (await requests().find(id))?.request as InputRequest;
  const folder = await mkdtemp(join(tmpdir(), "crosszone-attacked-"));
  const APPROVALS_FILE = join(folder, "approvals.yaml");
  await writeFile(APPROVALS_FILE, JSON.stringify(approvals));
  const execution = await startExecution({
    token,
    log,
    agents: [createAsker(plans, requests)],
    env: { APPROVALS_FILE, ADMIN_TOKENS: adminToken },
    override: (deps) => ((inputs = deps.inputs), {}),
  });
  const slack = await startDevSlack({ retryScheduleMs: [20, 60], rateLimits: { post_message: many, tier_3: many } });
  slack.control.putUserGroup({ id: oncall, handle: "oncall", name: "On call", users: [alice, bob, partner] });
  const link = { EXECUTION_URL: `${execution.url}/rpc`, EXECUTION_TOKEN: token };
  const env = { ...slackEnv(slack), ...link, ...tune({ SHOW_WORK_AFTER_MS: 0, POLL_WAIT_MS: 500 }) };
  const verification = await startVerification({ env, log });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  /** Alice asks for a plan in #general. Resolves with its cards, in the order of the plan. */
  const ask = async (plan: string): Promise<readonly Target[]> => {
    const { ts } = slack.control.postMessage({ user: "alice", channel: "general", text: `@Crosszone ${plan}` });
    const showing = (title: string) => (message: Message) =>
      message.thread_ts === ts && JSON.stringify(message.blocks ?? []).includes(`"text":"${title}"`);
    const cards = plans[plan]?.asks.map(async ({ title }): Promise<Target> => {
      const card = await slack.control.waitForMessage(showing(title), 15_000);
      const { records } = await requests().page({}, { limit: 100, offset: 0 });
      return { card, request: records.find(({ request }) => request.title === title)?.request as InputRequest };
    });
    return Promise.all(cards ?? []);
  };
  const stop = async (): Promise<void> => {
    await verification.stop();
    await execution.stop();
    await slack.close();
    await rm(folder, { recursive: true });
  };
  return { slack, execution, verification, log, stored, ask, stop };
}

function createAsker(plans: Readonly<Record<string, Plan>>, requests: () => Requests): Agent {
  return {
    name: "builtin",
    description: "",
    skills: [],
    run: async ({ text }, { inputs }) => {
      const plan = plans[text];
      if (plan === undefined) return { response_text: `Heard: ${text}` };
      const isOpen = plan.asks.some(({ key }) => inputs?.decided.has(key) !== true);
      if (inputs === undefined || isOpen) throw new TaskPaused(plan.asks, { continuation: null });
      return { response_text: `Ran: ${await plan.after?.(inputs, requests())}` };
    },
  };
}

const calls = ["rpc_answered", "slack_called", "slack_request_answered"];

/** Returns what a log has from here on, without successful calls. */
export function logFrom({ log }: Pick<Attacked, "log">): () => readonly LogLine[] {
  const from = log.length;
  return () => log.slice(from).filter(({ event }) => !calls.includes(String(event)));
}

/** Waits until a log has a line with these members. */
export async function waitForLine(lines: () => readonly LogLine[], members: object): Promise<void> {
  await expect.poll(lines, { timeout: 8_000 }).toContainEqual(expect.objectContaining(members));
}
