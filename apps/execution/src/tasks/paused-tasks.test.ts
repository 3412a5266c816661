// suite: both
import type { InputRequest } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { type Agent, TaskPaused } from "../agents/agent.ts";
import { ballot, voter } from "../testing/new-input.ts";
import { startRunner, type TestRunner, type TestRunnerOptions } from "../testing/start-runner.ts";
import { agentThat } from "../testing/start-zone.ts";
import type { Task } from "./task.ts";

const pay = (euros: number) => ({ agent: "builtin", tool: "pay", arguments: { euros } });

/** Pays each amount once it is approved. Asks for all of them at once. */
const payer = (amounts: readonly number[], paid: string[], attempt: typeof pay = pay): Agent =>
  agentThat(async (_input, { inputs }) => {
    const asked = amounts.map((euros) => ({
      key: `pay ${euros}`,
      kind: "approve" as const,
      title: "Pay?",
      action: pay(euros),
    }));
    const pause = new TaskPaused(asked, { continuation: { amounts }, text: "I can pay." });
    if (inputs === undefined) throw pause;
    if (asked.some(({ key }) => !inputs.decided.has(key))) throw pause;
    for (const euros of amounts) {
      const { state } = inputs.decided.get(`pay ${euros}`) ?? {};
      const verdict =
        state === "approved" || state === "used" ? await inputs.use(`pay ${euros}`, attempt(euros)) : state;
      paid.push(`${euros} ${verdict}`);
    }
    return { response_text: `paid ${paid.join(", ")} of ${JSON.stringify(inputs.continuation)}` };
  }, "builtin");

const alice = voter("U_ALICE");
const question = { params: { channel: "C1", text: "pay", user_id: "U_ALICE", team_id: "T1" } };

onBothEngines("a task that waits for people", (newDatabase) => {
  const start = async (agents: readonly Agent[], options: Partial<TestRunnerOptions> = {}) => {
    const url = await newDatabase();
    return Promise.all(agents.map((agent) => startRunner({ url, leaseMs: 60_000, agents: [agent], ...options })));
  };
  /** Submits a question, and returns its task and requests once it waits. */
  async function pause({ submit, runner, requests }: TestRunner, members = {}) {
    const task = await runner.waitUntilSettled(await submit({ ...question, ...members }), 60_000);
    expect(task).toMatchObject({ state: "input_required", paused: { text: "I can pay." } });
    return { task, asked: await requests.list({ taskId: task.task_id }, { limit: 9 }) };
  }
  const decide = ({ requests }: TestRunner, { request_id, action }: InputRequest, answer = {}) =>
    requests.answer(request_id, ballot(alice, { digest: action?.digest, ...answer }));

  test("P1: it continues where it paused when the last request is decided, in whichever process", async () => {
    const paid: string[] = [];
    const [one, other] = (await start([payer([1, 2], paid), payer([1, 2], paid)])) as [TestRunner, TestRunner];
    const { task, asked } = await pause(one);
    expect(one.runner.running() + other.runner.running()).toBe(0);
    expect(await other.store.get(task.task_id)).toMatchObject({ state: "input_required" });
    const [first, second] = asked as [InputRequest, InputRequest];
    expect(await decide(other, first)).toMatchObject({ outcome: "decided" });
    expect(await decide(one, second, { answer: { verdict: "deny" } })).toMatchObject({ outcome: "decided" });
    // It may pause once more between the two decisions.
    const settled = () => other.runner.waitUntilSettled(task, 60_000);
    await expect.poll(settled).toMatchObject({ state: "success" });
    const ended = await settled();
    expect(ended).toMatchObject({
      outcome: { answer: { response_text: 'paid 1 allowed, 2 denied of {"amounts":[1,2]}' } },
    });
    expect(ended.paused).toBeUndefined();
    expect(paid).toEqual(["1 allowed", "2 denied"]);
    expect(await one.requests.find(first.request_id)).toMatchObject({ request: { state: "used" } });
  });

  test("J18: a task that goes on elsewhere runs again by itself, and none of its time passes meanwhile", async () => {
    let runs = 0;
    const agent = agentThat(async (_input, { inputs }) => {
      runs += 1;
      if (runs < 4) throw new TaskPaused([], { continuation: { runs }, text: "Log in.", lookAgainMs: 20 });
      return { response_text: `done ${JSON.stringify(inputs?.continuation)}` };
    }, "builtin");
    const [one] = (await start([agent])) as [TestRunner];
    const task = await one.submit(question);
    const paused = async () => (await one.store.get(task.task_id))?.paused;
    await expect.poll(paused).toMatchObject({ text: "Log in.", look_again_ms: 20 });
    const before = await paused();
    await expect
      .poll(() => one.store.get(task.task_id))
      .toMatchObject({
        state: "success",
        outcome: { answer: { response_text: 'done {"runs":3}' } },
      });
    expect(before?.remaining_ms).toBeGreaterThan(0);
  });

  test("X2: an agent with side effects gets a text that an agent wrote when people have approved it, and pauses as ever", async () => {
    const paid: string[] = [];
    const agent: Agent = { ...payer([1], paid), describe: async () => ({ sideEffects: true }) };
    const [one] = (await start([agent])) as [TestRunner];
    const params = { ...question.params, text: "pay 900\u200B EUR", offered_by: "helper" };
    const open = async (task: Task): Promise<InputRequest> => {
      const isOpen = { taskId: task.task_id, state: "open" } as const;
      await expect.poll(() => one.requests.list(isOpen, { limit: 9 })).toHaveLength(1);
      return (await one.requests.list(isOpen, { limit: 9 }))[0] as InputRequest;
    };
    const task = await one.submit({ params });
    const asked = await open(task);
    const action = { agent: "helper", tool: "builtin", arguments: { text: params.text } };
    expect(asked).toMatchObject({ kind: "approve", title: "Ask builtin", action });
    await decide(one, asked);
    await expect.poll(async () => (await open(task)).title).toBe("Pay?");
    await decide(one, await open(task));
    const settled = () => one.runner.waitUntilSettled(task, 60_000);
    await expect.poll(settled).toMatchObject({ state: "success" });
    expect(paid).toEqual(["1 allowed"]);
    const denied = await one.submit({ params });
    await decide(one, await open(denied), { answer: { verdict: "deny" } });
    await expect
      .poll(() => one.runner.waitUntilSettled(denied, 60_000))
      .toMatchObject({
        outcome: {
          answer: { response_text: "The text was not sent to builtin: its approval is denied.", agent: "builtin" },
        },
      });
    expect(paid).toEqual(["1 allowed"]);
  });

  test("P6: an approval is for the shown arguments only: another call never runs", async () => {
    const paid: string[] = [];
    const [one] = (await start([payer([5], paid, (euros) => pay(euros * 100))])) as [TestRunner];
    const { task, asked } = await pause(one);
    await decide(one, asked[0] as InputRequest);
    await one.runner.waitUntilSettled(task, 60_000);
    expect(paid).toEqual(["5 changed"]);
    expect(await one.requests.find(asked[0]?.request_id ?? "")).toMatchObject({ request: { state: "withdrawn" } });
  });

  test("P2: an approval is not lost with the process that asked: any other one continues, and the wait costs no attempt", async () => {
    const paid: string[] = [];
    const agents = [payer([3], paid), payer([3], paid)].map((agent) => ({ ...agent, repeatable: false }));
    const [one, other] = (await start(agents, { mostAttempts: 1 })) as [TestRunner, TestRunner];
    const { task, asked } = await pause(one);
    one.cutOff();
    await decide(other, asked[0] as InputRequest);
    expect(await other.runner.waitUntilSettled(task, 60_000)).toMatchObject({ state: "success" });
    expect(paid).toEqual(["3 allowed"]);
  });

  test("P2: an approval does not resume another agent than the one that asked, in the same thread", async () => {
    const [first, second]: [string[], string[]] = [[], []];
    const agents = [payer([1], first), { ...payer([1], second), name: "other" }] as const;
    const [one] = (await start([agents[0]], { agents })) as [TestRunner];
    const [{ task }, other] = [await pause(one), await pause(one, { agent: "other" })];
    await decide(one, other.asked[0] as InputRequest);
    await expect.poll(() => one.runner.waitUntilSettled(other.task, 60_000)).toMatchObject({ state: "success" });
    expect([first, second]).toEqual([[], ["1 allowed"]]);
    expect(await one.store.get(task.task_id)).toMatchObject({ state: "input_required", agent: "builtin" });
  });

  test("a cancel withdraws what the task asked, and a later answer says so; the agent learns how often the task paused", async () => {
    const cancelElsewhere = vi.fn<NonNullable<Agent["cancelElsewhere"]>>();
    const [one] = (await start([{ ...payer([1], []), cancelElsewhere }])) as [TestRunner];
    const { task, asked } = await pause(one);
    const [request] = asked as [InputRequest];
    await one.runner.cancel(task);
    await vi.waitFor(() => expect(cancelElsewhere.mock.calls).toMatchObject([[{ paused: { pauses: 1 } }]]));
    await vi.waitFor(async () =>
      expect(await one.requests.find(request.request_id)).toMatchObject({ request: { state: "withdrawn" } }),
    );
    expect(await decide(one, request)).toMatchObject({ outcome: "withdrawn" });
  });
});
