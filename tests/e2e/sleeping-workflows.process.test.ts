// suite: rest
// @module-tag judge
import type { WorkflowStep } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { workflowOf } from "../harness/runs-api.ts";
import { fillSchedule, pressSchedule } from "../harness/slack-schedules.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 300_000 });

/** A busy machine begins three runs within it. */
const deadlineMs = 10_000;
const soon = 90_000;

const workflow = (id: string, wait: WorkflowStep) =>
  workflowOf(id, [wait], { output_mapping: { text: `Awake after ${id}` } });
const nap = workflow("nap", { id: "w", type: "wait", for_ms: 3 * deadlineMs });
const listen = workflow("listen", { id: "w", type: "wait", event: { name: "paid", key: "${workflow.input.text}" } });
const around = workflow("around", { id: "sub", type: "workflow", workflow: "nap" });

onBothEngines("a workflow that waits longer than an answer may take", (newDatabase) => {
  const start = async () => {
    const verificationEnv = { ...databaseEnv(await newDatabase()), ANSWER_DEADLINE: `${deadlineMs}ms` };
    const zones = await startWithAgents({ view: true, env: databaseEnv(await newDatabase()), verificationEnv });
    for (const definition of [nap, listen, around]) await zones.api.create(definition);
    const { control } = zones.slack;
    const said = (text: string) => control.waitForMessage((one) => one.text.includes(text), soon);
    const killAndRestart = async (): Promise<void> => {
      const { verification } = zones;
      if (!("signal" in verification)) throw new Error("verification is no process");
      verification.signal("SIGKILL");
      await verification.ended;
      await verification.restart();
    };
    return { ...zones, control, said, killAndRestart };
  };

  test("answers in its thread once, although verification was killed while it waited", async () => {
    const zones = await start();
    const questions = [
      ["nap", "I go on by myself: <!date"],
      ["around", "I go on by myself: <!date"],
      ["listen", "I wait for an event, and go on by myself."],
    ].map(([name = "", says = ""]) => ({ name, says, asked: zones.write({ text: `run ${name}: 4711` }) }));
    const textsOf = (asked: (typeof questions)[number]["asked"]) => zones.replies(asked).map(({ text }) => text);
    for (const { asked, says } of questions)
      await vi.waitFor(() => expect(textsOf(asked)).toEqual([expect.stringContaining(says)]), soon);
    await zones.killAndRestart();
    await delay(deadlineMs);
    expect(await zones.api.runs("state=canceled")).toEqual([]);
    expect(await zones.api.runs("state=running")).toContainEqual(expect.objectContaining({ workflow_id: "listen" }));
    await zones.api.post("/events", { name: "paid", key: "4711", payload: { sum: 3 } });
    for (const { name, says, asked } of questions)
      await vi.waitFor(
        () => expect(textsOf(asked)).toEqual([expect.stringContaining(says), `Awake after ${name}`]),
        soon,
      );
  });

  test("is the run of a fire, which has ended once its answer is its message", async () => {
    const { slack, control, said, api } = await start();
    const { view_id } = await fillSchedule(slack, { user: "alice", channel: "general", answer: "x", agent: "nap" });
    await control.submitView({ view_id, user: "alice" });
    await said("Saved *Daily report*");
    await pressSchedule(slack, { user: "alice", change: "Run now" });
    const root = await said("I go on by myself");
    expect(root.thread_ts).toBeUndefined();
    const fires = async () => ((await api.get("/fires")) as { fires: { fire_id: string; state: string }[] }).fires;
    const [fire] = await fires();
    expect(fire?.state).toBe("running");
    expect((await api.run(fire?.fire_id ?? "")).state).toBe("running");
    expect(await said("Awake after nap")).toMatchObject({ ts: root.ts });
    await vi.waitFor(async () => expect(await fires()).toMatchObject([{ state: "ended" }]), soon);
  });
});
