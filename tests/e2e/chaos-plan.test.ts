import { expect, test } from "vitest";
import { planRun, stretchPlan } from "../chaos/plan/plan.ts";

const options = { seed: 7, messages: 300, engine: "postgres" } as const;
const plan = planRun(options);

test("the same seed plans the same messages and disturbances; another seed plans others", () => {
  expect(planRun(options)).toEqual(plan);
  expect(planRun({ ...options, seed: 8 }).messages).not.toEqual(plan.messages);
  expect(planRun({ ...options, seed: 8 }).disturbances).not.toEqual(plan.disturbances);
});

test("everything is planned in order, within the span, and replies follow earlier messages", () => {
  const { messages, disturbances, spanMs } = plan;
  expect(messages.map(({ number }) => number)).toEqual([...messages.keys()]);
  for (const things of [messages, disturbances]) {
    const times = things.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.every((at) => at >= 0 && at <= spanMs)).toBe(true);
  }
  const replies = messages.filter(({ follows }) => follows !== undefined);
  expect(replies.length).toBeGreaterThan(30);
  for (const { number, follows = number, place } of replies) {
    expect(follows).toBeLessThan(number);
    expect(messages[follows]?.place).toEqual(place);
    expect(messages[follows]?.follows).toBeUndefined();
  }
});

test("three hundred messages meet every disturbance, and are of every kind", () => {
  const { messages, disturbances } = plan;
  const kinds = new Set(
    disturbances.flatMap((one) => {
      if (one.kind === "kill") return one.victims.length > 1 ? ["kill two"] : [`kill ${one.victims[0]}`];
      if (one.kind === "wire") return [one.trouble, one.wire];
      return one.kind === "slack" ? [one.fault.kind] : [one.kind];
    }),
  );
  expect([...kinds].toSorted()).toEqual([
    "cut",
    "database",
    "delay",
    "drop",
    "error",
    "freeze",
    "front",
    "half_close",
    "hang",
    "kill database",
    "kill execution",
    "kill two",
    "kill verification",
    "late",
    "link",
    "lose_answers",
    "rate_limited",
    "redeploy",
    "refuse",
    "server_error",
    "stall",
  ]);
  expect(new Set(messages.map(({ kind }) => kind))).toEqual(
    new Set(["quick", "slow", "parts", "file", "streamed", "attached", "agent", "run"]),
  );
  expect(new Set(messages.map(({ delivery }) => delivery.copies))).toEqual(new Set([1, 2, 4]));
  expect(messages.some(({ delivery }) => delivery.againAfterMs !== undefined)).toBe(true);
});

test("the requested number of kills is spread over the run, without a change of the messages or other disturbances", () => {
  const more = planRun({ ...options, kills: 200 });
  const killsOf = ({ disturbances }: typeof plan) => disturbances.filter(({ kind }) => kind === "kill");
  expect(killsOf(more)).toHaveLength(200);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const from = (tenth * more.spanMs) / 10;
    expect(killsOf(more).filter(({ at }) => at >= from && at <= from + more.spanMs / 10).length).toBeGreaterThan(15);
  }
  expect(more.messages).toEqual(plan.messages);
  expect(more.disturbances.filter(({ kind }) => kind !== "kill")).toEqual(
    plan.disturbances.filter(({ kind }) => kind !== "kill"),
  );
  expect(killsOf(planRun({ ...options, kills: 0 }))).toEqual([]);
});

test("with Kafka the broker is killed too, alone and together with execution", () => {
  const victims = planRun({ ...options, engine: "kafka" }).disturbances.flatMap((one) =>
    one.kind === "kill" ? [one.victims.join(" and ")] : [],
  );
  expect(victims).toEqual(expect.arrayContaining(["broker", "execution and broker", "database"]));
  expect(JSON.stringify(plan.disturbances)).not.toContain("broker");
});

test("a question whose answer binds the thread to a workflow or agent is not a reply and has none", () => {
  const binding = plan.messages.filter(({ kind }) => kind === "agent" || kind === "run");
  expect(binding.length).toBeGreaterThan(30);
  const followed = new Set(plan.messages.map(({ follows }) => follows));
  expect(binding.filter(({ number, follows }) => follows !== undefined || followed.has(number))).toEqual([]);
});

test("on SQLite, no database server is killed and no wire to it is cut", () => {
  const { disturbances } = planRun({ ...options, engine: "sqlite" });
  expect(JSON.stringify(disturbances)).not.toContain("database");
});

test("where the zones start slowly, the plan is stretched, at most three times", () => {
  expect(stretchPlan(plan, 200)).toEqual({ ...plan, stretch: 1 });
  const { stretch, spanMs, disturbances } = stretchPlan(plan, 3_000);
  expect([stretch, spanMs]).toEqual([2, plan.spanMs * 2]);
  expect(disturbances.map(({ at, ...one }) => ({ at: at / 2, ...one }))).toEqual(plan.disturbances);
  expect(stretchPlan(plan, 60_000).stretch).toBe(3);
});
