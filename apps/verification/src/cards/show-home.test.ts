import type { AgentSummary, InputRequest, PersonTask } from "@crosszone/contracts";
import type { Button, SectionBlock } from "@slack/web-api";
import { beforeEach, describe, expect, test } from "vitest";
import { member } from "../testing/fake-slack.ts";
import {
  elementsOf,
  inputRequest,
  interact,
  interactionPayload,
  scriptInputs,
  submit,
} from "../testing/scripted-inputs.ts";
import { failing } from "../testing/scripted-zone.ts";
import { channelMessage, startTestApp, type TestApp, until } from "../testing/start-test-app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});

const open = (user = "U1", tab = "home"): Promise<number> =>
  app.deliver({ type: "app_home_opened", user, channel: `D${user}`, tab, event_ts: "1.1" });
const published = async (count = 1) => {
  await until(() => expect(app.slack.homes).toHaveLength(count));
  return app.slack.homes.at(-1) as (typeof app.slack.homes)[number];
};
const words = (blocks: unknown): string =>
  elementsOf(blocks)
    .flatMap(({ text }) => text?.text ?? [])
    .join("\n");
const shown = async (count?: number): Promise<string> => words((await published(count)).view.blocks);

const sum = {
  calls: 2,
  estimated_calls: 0,
  unpriced_calls: 0,
  input_tokens: 1_200,
  output_tokens: 34,
  cached_input_tokens: 0,
  cost: 0.5,
};
const agent = (name: string, more: Partial<AgentSummary> = {}): AgentSummary => ({
  name,
  description: `About ${name}.`,
  default: false,
  skills: [{ id: "s", name: "s", description: "", examples: [`Ask ${name} something`] }],
  ...more,
});
const task = (n: number, more: Partial<PersonTask> = {}): PersonTask => ({
  task_id: `task-${n}`,
  request_id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  correlation_id: `c-${n}`,
  agent: "proofreader",
  state: "success",
  created_at: "2026-11-27T10:00:00.000Z",
  ...more,
});
const scripted = ({
  agents = [agent("proofreader")],
  tasks = [],
  inputs = [],
}: { agents?: AgentSummary[]; tasks?: PersonTask[]; inputs?: InputRequest[] } = {}): void => {
  app.zone.on("list_agents", () => ({ agents }));
  app.zone.on("list_person_tasks", () => ({ tasks }));
  app.zone.on("get_usage", () => ({ day: sum, month: sum, budgets: [] }));
  app.zone.on("list_input_requests", async ({ user_id, wait_ms }) => {
    if (wait_ms !== undefined) await new Promise(() => undefined);
    return { input_requests: user_id === undefined ? [] : inputs, last_seq: 0 };
  });
};

test("W15: the Home tab shows what waits for a person, the person's questions, whom to ask, the usage and help", async () => {
  const mine = inputRequest({ request_id: "inp_mine_56789abcdef", title: "Order chairs?", task_id: "task-2" });
  const others = inputRequest({
    request_id: "inp_others_789abcdef",
    task_id: "task-1",
    requester: "U1",
    decide: { ...mine.decide, people: ["U2"] },
  });
  const workflow = agent("report", { kind: "workflow" });
  scripted({
    agents: [agent("proofreader"), agent("builtin", { default: true }), workflow, agent("quiet", { skills: [] })],
    tasks: [task(1, { state: "input_required" }), task(3), task(4, { state: "error", agent: "ledger" })],
    inputs: [mine, others],
  });
  expect(await open()).toBe(200);
  const { user, view } = await published();
  expect(user).toBe("U1");
  const text = words(view.blocks);
  const order = ["Waiting for you", "Your questions", "Agents and workflows", "Your usage", "Help"].map((at) =>
    text.indexOf(at),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(text).toContain("*Order chairs?*\nbuiltin, until <!date^");
  expect(text).not.toContain("Deploy version");
  expect(text).toMatch(
    /\*proofreader\*, asked <!date\S+ at \{time\}\|2026-11-27 10:00:00 UTC>\n⏳ Waiting for <@U2>, until/,
  );
  expect(text).toMatch(/\*ledger\*, asked .*\nFailed/);
  expect(text).toContain("*builtin* (answers if you name no agent)\nAbout builtin.\n“Ask builtin something”");
  expect(text).toContain("*report* (workflow)\nAbout report.\n`run report: …`");
  expect(text).toContain("*quiet*\nAbout quiet.\n`ask quiet: …`");
  expect(text).toContain("• *Today:* 2 calls, 1,200 input tokens, 34 output tokens, $0.50");
  expect(text).toContain("`/agents word`");
  expect(elementsOf(view.blocks).filter(({ type }) => type === "button")).toHaveLength(5);
  expect(app.zone.params("list_person_tasks")[0]).toMatchObject({ user_id: "U1", team_id: "T1" });
});

test("W15: a person who opens it ten times in a second costs one publish, and other tabs cost none", async () => {
  scripted();
  await open("U3", "messages");
  await Promise.all(Array.from({ length: 10 }, () => open()));
  await open("U2");
  await published(2);
  await app.idle();
  expect(app.slack.homes.map(({ user }) => user).toSorted()).toEqual(["U1", "U2"]);
});

test("W15: texts of agents neither notify nor link, and the tab stays below Slack's limits whatever they say", async () => {
  const evil = `<!channel> @here <@U2> <https://evil.example|pay> https://evil.example\u202E & \`*_~\n${"𝄞&".repeat(300)}`;
  const skills = [
    { id: "s", name: evil, description: evil, examples: [evil, "x".repeat(251), `${"&&\n".repeat(80)}ask`] },
  ];
  const agents = Array.from({ length: 400 }, (_, n) => agent(`${n}${evil}`, { description: evil, skills }));
  const requests = Array.from({ length: 40 }, (_, n) =>
    inputRequest({
      request_id: `inp_${String(n).padStart(16, "0")}`,
      title: evil.slice(0, 150),
      agent: evil.slice(0, 200),
      task_id: "task-0",
    }),
  );
  const tasks = Array.from({ length: 50 }, (_, n) => task(n, { agent: evil, state: "input_required" }));
  scripted({ agents: [...agents, agent("last", { default: true })], tasks, inputs: requests });
  await open();
  const { view } = await published();
  expect(view.blocks.length).toBeLessThanOrEqual(100);
  expect(JSON.stringify(view).length).toBeLessThan(250_000);
  const text = words(view.blocks);
  expect(text.match(/^Show \d+ more$/gm)).toEqual(["Show 32 more", "Show 42 more", "Show 371 more"]);
  expect(text).toContain("*last* (answers if you name no agent)");
  expect(text).not.toMatch(/<(?!!date\^|@U1>)|@here|\u202E/);
  for (const { type, text: shownText, accessory } of view.blocks as SectionBlock[]) {
    if (["rich_text", "actions"].includes(type)) continue;
    expect(shownText?.type === "plain_text" || shownText?.verbatim).toBe(true);
    expect(shownText?.text.length).toBeLessThanOrEqual(3_000);
    const { value = "", accessibility_label = "" } = (accessory ?? {}) as Button;
    expect([value.length <= 2_000, accessibility_label.length <= 75]).toEqual([true, true]);
  }
});

test("W15: while execution is away, the tab appears and says which parts it can't show", async () => {
  const away = failing("zone_unavailable");
  scripted({ agents: [agent("proofreader")] });
  app.zone.on("list_person_tasks", away);
  app.zone.on("get_usage", away);
  await open();
  const text = await shown();
  expect(text.match(/I can't show this right now/g)).toHaveLength(2);
  expect(text).toContain("*proofreader*");
  expect(text).toContain("Nothing is waiting for you.");
});

describe("the policy", () => {
  test("W15: tells a guest why, and a stranger nothing", async () => {
    scripted();
    app.slack.directory.users["UGUEST"] = { ...member, guest: true };
    app.slack.directory.users["USTRANGER"] = { ...member, stranger: true };
    await open("USTRANGER");
    await open("UGUEST");
    const { user, view } = await published();
    expect(user).toBe("UGUEST");
    expect(words(view.blocks)).toMatch(/^I do not answer guests of this workspace\..*\n_Reference: \S+_$/s);
    expect(app.zone.calls.filter(({ method }) => method !== "list_input_requests")).toEqual([]);
    await app.idle();
    expect(app.slack.homes).toHaveLength(1);
  });
});

describe("Slack", () => {
  test("is asked again after a rate limit, and not after a refusal", async () => {
    scripted();
    app.slack.failNext("publishHome", "rate_limited", { code: "ratelimited", retryAfterMs: 100 });
    await open();
    await published();
    app.slack.failNext("publishHome", "refused", { code: "not_enabled" });
    await open("U2");
    const failures = () => app.logged("home_not_published");
    await until(() => expect(failures()).toMatchObject([{ code: "not_enabled", user_id: "U2", level: "warn" }]));
    expect(app.slack.calls.filter((method) => method === "publishHome")).toHaveLength(3);
  });
});

/** Presses the first button with a label on U1's newest Home tab. */
function pressOnHome(label: string, user = "U1") {
  const { view } = app.slack.homes.findLast((one) => one.user === "U1") as (typeof app.slack.homes)[number];
  const { action_id, value } = elementsOf(view.blocks).find(({ text }) => text?.text === label) ?? {};
  const home = { id: "V0VIEW", callback_id: "", private_metadata: view.private_metadata, type: "home" };
  const actions = [{ type: "button", action_id, value, action_ts: "1.2" }];
  const container = { type: "view", view_id: "V0VIEW" };
  return interact(app, interactionPayload({ actions, container, view: home }, user));
}

describe("what waits for a person", () => {
  /** Shows a request as a card and on the Home tab. */
  const openWithRequest = async () => {
    const { current } = scriptInputs(app.zone, [inputRequest({ title: "Order?" })]);
    const message = channelMessage("order", { type: "app_mention" });
    app.slack.say({ ts: message.ts, text: "order" });
    await app.deliver(message);
    await until(() => expect(app.slack.messages.some(({ text }) => text.includes("Order?"))).toBe(true));
    scripted({ agents: [] });
    app.zone.on("list_input_requests", async ({ wait_ms }) => {
      if (wait_ms !== undefined) await new Promise(() => undefined);
      return { input_requests: current().state === "open" ? [current()] : [], last_seq: 0 };
    });
    await open();
    await published();
    return current;
  };

  test("Q35: is approved on the tab, with the exact call in view, and the tab says so", async () => {
    const current = await openWithRequest();
    expect(await shown()).toMatch(/^Waiting for you\n\*Order\?\*\nbuiltin, until .*\nbuiltin runs deploy\n/);
    expect(JSON.stringify(app.slack.homes.at(-1)?.view.blocks)).toContain(String.raw`{\n  \"version\": \"1.2\"\n}`);
    await pressOnHome("Approve", "U2");
    expect(await shown(2)).toMatch(/^\*Order\?\*: This is not yours to decide\./);
    await pressOnHome("Approve");
    expect(await shown(3)).toMatch(/^\*Order\?\*: Approved\.\nWaiting for you\nNothing is waiting for you\./);
    expect([current().state, app.slack.notices]).toEqual(["approved", []]);
  });

  test("Q35: is denied on the tab with a reason", async () => {
    const current = await openWithRequest();
    await pressOnHome("Deny");
    await until(() => expect(app.slack.modals).toHaveLength(1));
    await submit(app, app.slack.modals[0]?.modal ?? {}, { answer: { value: "Too many." } });
    expect(await shown(2)).toMatch(/^\*Order\?\*: Denied\.\n/);
    expect(current()).toMatchObject({ state: "denied", answer: { reason: "Too many." } });
  });
});

test("Q35: each list of the tab is shown to its last entry, and the whole tab comes back", async () => {
  const named = (count: number, of: string) => Array.from({ length: count }, (_, n) => `${of} ${n}.`);
  const [agents, tasks, inputs] = [named(65, "agent"), named(10, "asked"), named(19, "Order")];
  scripted({
    agents: agents.map((name) => agent(name)),
    tasks: tasks.map((name, n) => task(n, { agent: name })),
    inputs: inputs.map((title, n) => inputRequest({ title, request_id: `inp_${String(n).padStart(16, "0")}` })),
  });
  await open();
  const seen = [await shown()];
  for (const label of ["Show 35 more", "Show 5 more", "Back", "Show 2 more", "Back", "Show 11 more", "Show 3 more"]) {
    await pressOnHome(label);
    seen.push(await shown(seen.length + 1));
  }
  for (const name of [...agents, ...tasks, ...inputs]) expect(seen.join("\n")).toContain(`*${name}*`);
  expect(seen[3]).toBe(seen[0]);
  expect(seen.at(-1)).toMatch(/^Waiting for you\n\*Order 16\.\*[^]*\nBack$/);
});

test("Q35: a workflow whose input fits a form is run from the tab", async () => {
  const input_schema = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
  scripted({ agents: [agent("report", { kind: "workflow", input_schema }), agent("deep", { kind: "workflow" })] });
  await open();
  expect((await shown()).match(/^Run$/gm)).toHaveLength(1);
  await pressOnHome("Run");
  await until(() => expect(app.slack.modals).toHaveLength(1));
  await submit(app, app.slack.modals[0]?.modal ?? {}, { "field:topic": { value: "tea" } });
  expect(await shown(2)).toMatch(/^Asked\. The answer comes in the tab \*Messages\*\.\n/);
  await until(() => expect(app.zone.params("execute_task")).toMatchObject([{ agent: "report", channel: "DU1" }]));
});

describe("an example", () => {
  const pressExample = async (user = "U1") => {
    await published();
    return pressOnHome("Ask this", user);
  };

  test("W15: asks in the direct message as if the person had typed it, and the tab says so", async () => {
    scripted({ agents: [agent("proofreader")] });
    await open();
    expect((await pressExample()).status).toBe(200);
    await until(() => expect(app.zone.of("execute_task")).toHaveLength(1));
    const [anchor] = app.slack.messages;
    expect(anchor).toMatchObject({ channel: "DU1", thread_ts: "", text: "<@U1> asked: Ask proofreader something" });
    expect(app.zone.params("execute_task")[0]).toMatchObject({
      text: "Ask proofreader something",
      agent: "proofreader",
      offered_by: "proofreader",
      user_id: "U1",
      channel: "DU1",
      thread_ts: anchor?.ts,
    });
    expect(await shown(2)).toMatch(/^Asked proofreader\. The answer comes in the tab \*Messages\*\./);
    await until(() => expect(app.slack.answers(anchor?.ts).at(-1)?.text).toBe("You said: Ask proofreader something"));
    expect(app.slack.notices).toEqual([]);
  });

  test("W15: is refused on the tab if the policy no longer allows the person", async () => {
    scripted();
    await open();
    await published();
    app.slack.directory.users["U2"] = { ...member, guest: true };
    await pressExample("U2");
    expect(await shown(2)).toMatch(/^I do not answer guests/);
    expect(app.slack.messages).toEqual([]);
    expect(await app.acts()).toMatchObject([
      { action: "question.reject", actor: { id: "U2" } },
      { action: "press.reject", actor: { id: "U2" }, details: { verb: "example" } },
      { action: "question.reject", actor: { id: "U2" } },
    ]);
  });
});
