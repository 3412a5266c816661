import { expect, test } from "vitest";
import type { Clock } from "../time/clock.ts";
import { LeaseLostError } from "../inbox/endings.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { takeOne } from "../testing/take-one.ts";
import { createFakeSlack, identity, newTs, type FakeSlack } from "../testing/fake-slack.ts";
import { createLife } from "../testing/mortal.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createScriptedZone } from "../testing/scripted-zone.ts";
import { createQuestionFlow, type QuestionFlowDeps } from "./questions/question-flow.ts";
import { createRunningTasks } from "./tasks/running-tasks.ts";
import { createSessionStatus } from "../workspaces/session-status.ts";

/** A stopped clock, so that the check for a stop each second adds no effects. */
const clock: Clock = {
  now: () => 0,
  sleep: (_ms, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error))),
};
const quiet = new Proxy({}, { get: () => () => undefined }) as ReturnType<QuestionFlowDeps["observe"]>;
const speaks = /^slack\.(post|update|upload)$/;

/** Answers a question with a file and loses the lease after effect number `at`. Resolves with the effects. */
async function answer(slack: FakeSlack, at?: number): Promise<{ effects: readonly string[]; how: unknown }> {
  const zone = createScriptedZone();
  zone.on("execute_task", () => ({ status: "success", response_text: "word ".repeat(18_000) }));
  const inbox = createTestInbox(await openTestDatabase());
  const ts = newTs();
  await inbox.accept(questionRecord({ ts, thread_ts: ts }));
  const question = await takeOne(inbox, "ask");
  if (question === undefined) throw new Error("the inbox is empty");
  const lease = new AbortController();
  const life = createLife({
    onEffect: (number) => {
      if (number === at) lease.abort(new LeaseLostError("somebody else has it"));
    },
  });
  const mine = life.with(slack, "slack", ["post", "update", "replies", "upload"]);
  const flow = createQuestionFlow({
    zone: life.with(zone.zone, "zone", ["call"]),
    slack: mine,
    identity,
    inbox: life.with(inbox, "inbox", ["note", "standing", "isStopped"]),
    tokens: life.with({ issue: async () => "czh_1", revoke: async () => undefined }, "tokens", ["issue", "revoke"]),
    clock,
    times: {
      showAfterMs: 0,
      callTimeoutMs: 1_000,
      pollWaitMs: 25,
      retryBudgetMs: 0,
      deadlineMs: 60_000,
      deliveryBudgetMs: 1_000,
    },
    admitFiles: async () => undefined,
    watchFailedRun: async () => undefined,
    agentOfChannel: () => undefined,
    fileRules: { types: ["text/*"], maxBytes: 1_000_000 },
    background: () => undefined,
    running: createRunningTasks(),
    session: createSessionStatus(mine, () => undefined),
    observe: () => quiet,
  });
  const how = await flow(question, lease.signal).then(
    () => "answered",
    (error: unknown) => error,
  );
  return { effects: life.effects, how };
}

test("Z9: a worker that lost its lease posts nothing more at any point, and reports the lost lease", async () => {
  const clean = await answer(createFakeSlack());
  expect(clean).toMatchObject({ how: "answered", effects: expect.arrayContaining(["slack.upload", "slack.update"]) });
  for (let at = 1; at < clean.effects.length; at += 1) {
    const { effects, how } = await answer(createFakeSlack(), at);
    const after = effects.slice(at);
    const story = `lost after ${at} ${clean.effects[at - 1]}: ${after.join(", ")}`;
    const said = after.filter((effect) => speaks.test(effect));
    expect({ story, said, how }).toEqual({ story, said: [], how: expect.any(LeaseLostError) });
  }
});
