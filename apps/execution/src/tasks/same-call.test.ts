// suite: both
import { setTimeout as delay } from "node:timers/promises";
import type { InputDeciders, InputRequest } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { type Agent, TaskPaused } from "../agents/agent.ts";
import { ballot, voter } from "../testing/new-input.ts";
import { startRunner, type TestRunner } from "../testing/start-runner.ts";
import { agentThat } from "../testing/start-zone.ts";
import type { Task } from "./task.ts";

const byBob: InputDeciders = { people: ["U_BOB"], groups: [], requester: false, approve: 1, deny: 1 };
const pay = (euros: string) => ({ agent: "builtin", tool: "pay", arguments: { euros } });
const asks = (euros: string, index: number, decide: InputDeciders) =>
  ({ key: `pay ${index}`, kind: "approve", title: `Pay ${euros}?`, action: pay(euros), decide }) as const;
/** Returns the thread of a payment and the amount. */
const paymentIn = (thread: string | undefined, given: unknown): string =>
  `${thread} ${(given as ReturnType<typeof pay>["arguments"]).euros}`;

/** Asks to pay each amount of its text, and pays those that were approved. `told` gets what it is told of decisions. */
const payer = (paid: string[], { decide = byBob, agentWaits = false, told = [] as unknown[] } = {}): Agent =>
  agentThat(async ({ text, thread_ts }, { inputs }) => {
    const asked = text.split(" ").map((euros, index) => asks(euros, index, decide));
    const isOpen = asked.some(({ key }) => inputs?.decided.has(key) !== true);
    if (inputs === undefined || isOpen)
      throw new TaskPaused(asked, { continuation: {}, text: "I can pay.", agentWaits });
    for (const { key, action } of asked) {
      const { state, closed_because: because } = inputs.decided.get(key) ?? {};
      told.push(because ?? state);
      if (state !== "approved" && state !== "used") continue;
      if ((await inputs.use(key, action)) === "allowed") paid.push(paymentIn(thread_ts, action.arguments));
    }
    return { response_text: `Done: ${asked.map(({ key }) => inputs.decided.get(key)?.state).join(", ")}.` };
  }, "builtin");

interface Asked {
  readonly text: string;
  readonly thread_ts: string;
  readonly user_id?: string;
}

const ask = ({ runner, submit }: TestRunner, { text, thread_ts, user_id = "U_ALICE" }: Asked): Promise<Task> =>
  submit({ params: { channel: "C1", team_id: "T1", thread_ts, user_id, text } }).then((task) =>
    runner.waitUntilSettled(task, 30_000),
  );
const openOf = async ({ requests }: TestRunner, thread: string): Promise<readonly InputRequest[]> => {
  const open = await requests.list({ state: "open" }, { limit: 500 });
  return open.filter(({ thread_ts }) => thread_ts === thread);
};
const bobSays = ({ requests }: TestRunner, { request_id, action }: InputRequest, verdict: "approve" | "deny") =>
  requests.answer(request_id, ballot(voter("U_BOB"), { digest: action?.digest, answer: { verdict } }));
const textOf = (task: Task): string | undefined =>
  task.outcome && "answer" in task.outcome ? task.outcome.answer.response_text : undefined;

onBothEngines("a call that waits for approval", (newDatabase) => {
  const start = async (agent: Agent): Promise<TestRunner> =>
    startRunner({ url: await newDatabase(), leaseMs: 60_000, agents: [agent] });

  test("W17.1: is not asked again by a later task of its requester and thread, which ends with who is asked; it runs once", async () => {
    const paid: string[] = [];
    const zone = await start(payer(paid));
    const first = await ask(zone, { text: "5", thread_ts: "1.0" });
    const [request] = (await openOf(zone, "1.0")) as [InputRequest];
    await zone.requests.claim(
      request.request_id,
      { by: "verification", team_id: "T1" },
      { names: { U_BOB: "Bob *C*" } },
    );
    for (const text of ["5", "5 5"]) {
      const later = await ask(zone, { text, thread_ts: "1.0" });
      expect([later.state, textOf(later)]).toEqual(["success", "I can pay.\n\nBob  C  is already asked above."]);
    }
    // Another amount, thread or requester is another call.
    for (const other of [{ text: "6" }, { text: "5", thread_ts: "2.0" }, { text: "5", user_id: "U_EVE" }])
      expect(await ask(zone, { thread_ts: "1.0", ...other })).toMatchObject({ state: "input_required" });
    await bobSays(zone, request, "approve");
    await expect.poll(() => zone.runner.waitUntilSettled(first, 1_000)).toMatchObject({ state: "success" });
    expect(paid).toEqual(["1.0 5"]);
    // What was decided can be asked anew.
    expect(await ask(zone, { text: "5", thread_ts: "1.0" })).toMatchObject({ state: "input_required" });
  });

  test("W17.1: twice in one turn stays two, and what is new is asked although the rest is asked already", async () => {
    const [paid, told]: [string[], unknown[]] = [[], []];
    const decide = { ...byBob, people: [], requester: true };
    const zone = await start(payer(paid, { decide, told }));
    const alice = voter("U_ALICE");
    const both = await ask(zone, { text: "5 5", thread_ts: "1.0" });
    expect(await openOf(zone, "1.0")).toHaveLength(2);
    const mixed = await ask(zone, { text: "5 7", thread_ts: "1.0" });
    expect(mixed).toMatchObject({ state: "input_required" });
    const open = await openOf(zone, "1.0");
    expect(open.map(({ title }) => title).toSorted()).toEqual(["Pay 5?", "Pay 5?", "Pay 7?"]);
    for (const { request_id, action } of open)
      await zone.requests.answer(request_id, ballot(alice, { digest: action?.digest }));
    for (const task of [both, mixed])
      await expect.poll(() => zone.runner.waitUntilSettled(task, 1_000)).toMatchObject({ state: "success" });
    expect(paid.toSorted()).toEqual(["1.0 5", "1.0 5", "1.0 7"]);
    expect(told.filter((one) => one !== "approved")).toEqual(["You are already asked above."]);
  });

  test("W17.1: an agent outside of the zone that waits for the decision is told that there is none", async () => {
    const [paid, told]: [string[], unknown[]] = [[], []];
    const decide = { ...byBob, groups: ["S_OPS"] };
    const zone = await start(payer(paid, { decide, agentWaits: true, told }));
    await ask(zone, { text: "5", thread_ts: "1.0" });
    const later = await ask(zone, { text: "5", thread_ts: "1.0" });
    const because = "<@U_BOB> and members of the user group S_OPS are already asked above.";
    expect(textOf(later)).toBe(`Done: withdrawn.\n\n${because}`);
    expect([told, paid, (await openOf(zone, "1.0")).length]).toEqual([[because], [], 1]);
  });

  test("W17.1: in 26 random orders of two processes, of which one dies, no call is open for two tasks, and one decision is one payment", async () => {
    const paid: string[] = [];
    const url = await newDatabase();
    const open = () => startRunner({ url, leaseMs: 1_000, agents: [payer(paid)], mostAttempts: 9, maxRunning: 200 });
    const zones = [await open(), await open()] as const;
    const tasks: Promise<Task>[] = [];
    const play = async (seed: number): Promise<void> => {
      const random = seeded(seed);
      const thread = `${seed}.0`;
      for (let step = 0; step < 6; step += 1) {
        const zone = zones[random(2)] as TestRunner;
        const text = ["5", "6", "5 5", "6 5"][random(4)] as string;
        if (random(3) > 0)
          tasks.push(...Array.from({ length: 1 + random(2) }, () => ask(zone, { text, thread_ts: thread })));
        await delay(random(40));
        const waiting = await openOf(zones[1], thread);
        const calls = Map.groupBy(waiting, ({ action }) => action?.digest);
        for (const equal of calls.values()) expect(new Set(equal.map(({ task_id }) => task_id)).size).toBe(1);
        const chosen = waiting[random(waiting.length || 1)];
        if (chosen !== undefined && random(2) > 0) await bobSays(zones[1], chosen, random(3) > 0 ? "approve" : "deny");
      }
    };
    const dying = delay(60).then(() => zones[0].cutOff());
    await Promise.all(Array.from({ length: 26 }, (_, seed) => play(seed + 1)));
    const { reconnect } = await dying;
    await delay(300);
    reconnect?.();
    // Bob decides the rest.
    await expect
      .poll(
        async () => {
          const rest = await zones[1].requests.list({ state: "open" }, { limit: 500 });
          for (const one of rest) await bobSays(zones[1], one, "approve");
          const jobs = zones[1].database.db.selectFrom("job").select("id").where("kind", "=", "task");
          return (await jobs.where("state", "<", jobStates.ended).execute()).length + rest.length;
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBe(0);
    const all = await zones[1].requests.list({}, { limit: 1_000 });
    const used = all.filter(({ state }) => state === "used");
    expect(all.filter(({ state }) => state === "approved")).toEqual([]);
    const payments = used.map(({ thread_ts, action }) => paymentIn(thread_ts, action?.arguments));
    expect(paid.toSorted()).toEqual(payments.toSorted());
    expect(used.length).toBeGreaterThan(26);
    expect(all.length).toBeLessThan(tasks.length * 2);
  });
});

/** Returns a function that returns numbers below a limit, always the same ones for a seed. */
function seeded(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}
