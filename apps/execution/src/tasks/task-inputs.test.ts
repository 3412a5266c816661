import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { TaskPaused } from "../agents/agent.ts";
import { ballot, payment, voter } from "../testing/new-input.ts";
import { leasedTask } from "../testing/new-task.ts";
import { openInputsOf } from "../testing/open-inputs.ts";
import { agentThat } from "../testing/start-zone.ts";
import { approvalsRow, createApprovalFor } from "../people/approvals.ts";
import { createTaskInputs } from "./task-inputs.ts";

const place = { channel: "C1", thread_ts: "1.2", team_id: "T1", user_id: "U_ALICE", text: "pay" };
const pay = (key: string, euros: number) => ({ key, kind: "approve" as const, title: "Pay?", action: payment(euros) });

const policyIn = (approvals: unknown) => sectionIn("approvals", approvalsRow, JSON.stringify({ approvals }));

async function open(policy: unknown = {}) {
  const zone = await openInputsOf({ url: await newSqliteDatabase() });
  const { task } = await leasedTask(zone.store, { params: place });
  const inForce = { policy: await policyIn(policy) };
  const approvalFor = createApprovalFor(() => inForce.policy);
  const inputs = createTaskInputs({ requests: zone.requests, approvalFor });
  const pause = async (...asked: Parameters<typeof inputs.pausing>[1]) => {
    const { statements } = await inputs.pausing(task, asked);
    if (statements.length > 0) await zone.database.batch(statements);
    return zone.requests.list({ taskId: task.task_id, state: "open" }, { limit: 9 });
  };
  return { ...zone, task, inputs, inForce, pause };
}

const alice = voter("U_ALICE");

test("P1, P6: approving the second card does not deny the first, and each approval allows its own call, once", async () => {
  const { inputs, task, pause, requests } = await open();
  const [first, second] = await pause(pay("1", 100), pay("2", 200));
  expect(first).toMatchObject({ channel: "C1", thread_ts: "1.2", requester: "U_ALICE", agent: "builtin" });
  await requests.answer(second?.request_id ?? "", ballot(alice, { digest: second?.action?.digest }));
  const { decided, use, isOpen, continuation } = await inputs.forRun(task, { step: 3 });
  expect([continuation, isOpen(first?.request_id ?? ""), isOpen(second?.request_id ?? "")]).toEqual([
    { step: 3 },
    true,
    false,
  ]);
  expect([...decided].map(([key, { state }]) => [key, state])).toEqual([["2", "approved"]]);
  expect(await use("1", payment(100))).toBe("not_approved");
  expect(await use("2", payment(200))).toBe("allowed");
  expect(await use("2", payment(200))).toBe("again");
});

const signal = new AbortController().signal;

const refusal = "publisher changes something outside of this service. Ask it in your own words.";

const byAlice = { default: { decide: { people: ["U_ALICE"] } } };

test.each([
  { to: "without side effects", sideEffects: false, expected: {} },
  { to: "that the policy names", policy: { default: { approval: "always" } }, sideEffects: false, expected: "pauses" },
  { to: "with side effects", sideEffects: true, expected: "pauses" },
  { to: "without a policy", policy: { default: { approval: "none" } }, sideEffects: true, expected: { refusal } },
  { to: "that only the requester could approve", policy: byAlice, sideEffects: true, expected: { refusal } },
])("X2: a text that an agent wrote, for an agent $to", async ({ policy, sideEffects, expected }) => {
  const { inputs, task } = await open(policy);
  const agent = { ...agentThat(() => expect.unreachable(), "publisher"), describe: async () => ({ sideEffects }) };
  const offered = { ...task, params: { ...task.params, offered_by: "helper" } };
  const pauses = (error: unknown) => (error instanceof TaskPaused ? "pauses" : error);
  expect(await inputs.permitOffered(offered, agent, { signal }).catch(pauses)).toEqual(expected);
  expect(await inputs.permitOffered(task, agent, { signal })).toEqual({});
});

test("the same key again is the same request, after a decision too", async () => {
  const { pause, requests, events } = await open();
  const [before] = await pause(pay("1", 100));
  expect(await pause(pay("1", 100), { waits_for: before?.request_id ?? "" })).toEqual([before]);
  await requests.answer(before?.request_id ?? "", ballot(alice, { answer: { verdict: "deny" } }));
  expect(await pause(pay("1", 100))).toEqual([]);
  expect(events.filter(([event]) => event === "input_requested")).toHaveLength(1);
});

test("P6: an approval does not survive a change of its rule", async () => {
  const { inputs, inForce, task, pause, requests } = await open();
  const [asked] = await pause(pay("1", 100));
  await requests.answer(asked?.request_id ?? "", ballot(alice, { digest: asked?.action?.digest }));
  inForce.policy = await policyIn({ rules: [{ tool: "pay", decide: { people: ["U_BOB"] } }] });
  const { use } = await inputs.forRun(task, null);
  expect(await use("1", payment(100))).toBe("changed");
});

test.each([
  ["the policy names only the requester, who does not count", { decide: { people: ["U_ALICE"] } }, {}],
  ["the requester is the source of the content", {}, { not: ["U_ALICE"] }],
  [
    "one of two who are needed is the source",
    { decide: { people: ["U_BOB", "U_DAN"], approve: 2 } },
    { not: ["U_DAN"] },
  ],
])("a request that nobody can decide is an error when it is asked: %s", async (...[, usual, members]) => {
  const { pause } = await open({ default: usual });
  await expect(pause({ ...pay("1", 100), ...members })).rejects.toMatchObject({ kind: "agent_misconfigured" });
});

test("a request that the contract does not allow is an error of the agent", async () => {
  const { pause } = await open();
  const error = { kind: "agent_invalid_response", cause: { message: expect.stringContaining("/title") as string } };
  await expect(pause({ ...pay("1", 100), title: "x".repeat(151) })).rejects.toMatchObject(error);
});
