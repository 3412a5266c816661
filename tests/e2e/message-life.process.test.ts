// suite: rest
// @module-tag judge
import type { AuditEventList, MessageLife, MessageList, WorkflowDefinition } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { type Constants, tune } from "@crosszone/testkit/tune";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { notices } from "../harness/slack-actions.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { writeWorkflows } from "../harness/temp-file.ts";

vi.setConfig({ testTimeout: 180_000 });

const bob = "U0BOB000001";
const ok = { id: "ok", type: "human" as const, input: "approve" as const, prompt: "Go?", decide: { people: [bob] } };
const hold = { workflow_id: "hold", name: "Hold", version: "1", start_step: "ok", steps: { ok } } as WorkflowDefinition;

const inOrder = (one: string, other: string): number => one.localeCompare(other);

onBothEngines("the life of a message over both zones", (newDatabase) => {
  async function start(constants: Constants = {}) {
    const [execution, verification] = [databaseEnv(await newDatabase()), databaseEnv(await newDatabase())];
    const env = { ...execution, WORKFLOWS_DIR: writeWorkflows(hold) };
    const zones = await startWithAgents({ view: true, env, verificationEnv: tune(constants, verification) });
    const get = async <Body>(path: string): Promise<Body> => (await zones.api.get(path)) as Body;
    /** What the logs say of a message. */
    const logged = (reference: string) => zones.log.filter((line) => line["correlation_id"] === reference);
    return { ...zones, get, logged };
  }

  test("O7, W17: a message that was denied, answered, failed or waits is found by link, by person and time, and by reference", async () => {
    const { agents, slack, write, find, get, logged } = await start();
    agents.control("proofreader").fault = "server_error";
    const asked = [
      { user: "gus", person: "U0GUEST0001", text: "what is the secret plan?", state: "denied" },
      { user: "alice", person: "Alice", text: "ask builtin: secret", state: "answered" },
      { user: "bob", person: "bob carter", text: "ask proofreader: secret", state: "answered" },
      { user: "alice", person: "U0ALICE0001", text: "run hold: secret", state: "open" },
    ];
    for (const { user, person, text, state } of asked) {
      const { ts, channel } = write({ user, text });
      const link = `${slack.url}/archives/${channel}/p${ts.replace(".", "")}`;
      const isShown = ({ message, tasks }: MessageLife): boolean =>
        message?.state === state && (state !== "open" || tasks[0]?.input_requests[0] !== undefined);
      const life = await vi.waitUntil(
        async () => {
          const { code, out } = await find(link, "--json");
          const found = code === 0 ? (JSON.parse(out) as MessageLife | MessageList) : undefined;
          return found !== undefined && "reference" in found && isShown(found) && found;
        },
        { timeout: 60_000, interval: 500 },
      );
      const { reference, message, tasks } = life;
      expect(message).toMatchObject({ ts, channel, judged_at: expect.any(String) as string });
      const clock = new Date(Date.now()).toTimeString().slice(0, 5);
      const { messages } = await get<MessageList>(`/messages?person=${encodeURIComponent(person)}`);
      expect(messages.map((one) => one.message.reference)).toContain(reference);
      const byTime = await find(person, clock);
      expect(byTime.out).toContain(reference.slice(0, 8));
      const byReference = await find(`Reference: ${reference}`);
      expect([byReference.code, byReference.err]).toEqual([0, ""]);
      // Of the question, only its title is there.
      const untitled = JSON.stringify(life, (key, value: unknown) => (key === "title" ? undefined : value));
      expect(byReference.out.replace(/^question .*$/m, "") + untitled).not.toContain("secret");

      const [task] = tasks;
      const events = logged(reference);
      const eventOf = (name: string) => events.find(({ event }) => event === name);
      expect(eventOf("policy_denied")?.["rule"]).toBe(message?.rule);
      expect(eventOf("task_failed")?.["kind"]).toBe(task?.task.error?.kind);
      expect(eventOf("answer_posted")?.["task_id"]).toBe(task?.task.task_id);
      expect(task?.task.task_id === undefined).toBe(state === "denied");
      const waits = {
        input_requests: [{ state: "open", decide: { people: [bob] } }],
        steps: [{ path: "ok", state: "running" }],
      };
      expect(task ?? {}).toMatchObject(state === "open" ? waits : {});
    }
  });

  test("W17: a parked message is replayed once, although verification is killed again and again, and another is discarded", async () => {
    const zones = await start({ INBOX_ATTEMPTS: 3, DELIVERY_BUDGET_MS: 300 });
    const { slack, write, get, find } = zones;
    const faults = ["chat.postMessage", "chat.startStream"].map((method) => {
      const fault = { method, kind: "error" as const, error: "internal_error", times: 1_000_000 };
      slack.control.setFault(fault);
      return fault;
    });
    const written = ["one", "two"].map((text) => write({ text: `ask proofreader: ${text}` }));
    const parked = async () => (await get<MessageList>("/messages?state=parked")).messages;
    await expect.poll(async () => (await parked()).length, { timeout: 60_000, interval: 500 }).toBe(2);
    const [discarded = "", replayed = ""] = (await parked()).map(({ message }) => message.reference);
    for (const fault of faults) fault.method = "none";

    const { verification } = zones;
    if (!("signal" in verification)) throw new Error("verification is no process");
    let running: Pick<typeof verification, "signal" | "ended"> = verification;
    const kill = async (): Promise<void> => {
      running.signal("SIGKILL");
      await running.ended;
    };
    await kill();
    const act = (action: string, reference: string) => zones.api.post("/bulk-actions", { action, ids: [reference] });
    await act("message.replay", replayed);
    await act("message.discard", discarded);
    const life = (reference: string) => get<MessageLife>(`/messages/${reference}`);
    await expect.poll(async () => (await life(replayed)).pending_act).toBe("replay");
    expect((await find(replayed)).out).toContain("replay requested and not yet done");
    // Each process is killed a little later: before it asks for acts, and after.
    for (const ms of [0, 600, 1_200]) {
      running = await verification.restart();
      await sleep(ms);
      await kill();
    }
    await verification.restart();
    const ended = async () =>
      (await Promise.all([replayed, discarded].map(life))).map(({ message, pending_act }) => [
        message?.state,
        pending_act,
      ]);
    const done = [
      ["answered", undefined],
      ["discarded", undefined],
    ];
    await expect.poll(ended, { timeout: 60_000, interval: 500 }).toEqual(done);
    const answers = [...new Set(written.map(({ channel }) => channel))]
      .flatMap((channel) => slack.control.messages({ channel }))
      .filter(({ bot_id }) => bot_id !== undefined);
    expect(answers.map(({ text }) => text)).toEqual([expect.stringMatching(/^proofreader Nothing to change/)]);
    const { events } = await get<AuditEventList>("/audit/events?limit=50");
    const acts = events.map(({ event }) => event).filter(({ action }) => action.startsWith("message."));
    expect(acts.map(({ action, actor, target }) => `${action} ${actor.id} ${target.id}`).toSorted(inOrder)).toEqual([
      `message.discard bootstrap ${discarded}`,
      `message.replay bootstrap ${replayed}`,
    ]);
  });

  test("O7: what ended while execution was away arrives once, although verification was killed before its report", async () => {
    const { execution, verification, slack, write, get } = await start();
    await execution.stop();
    for (const text of ["one", "two"]) write({ user: "gus", text });
    const told = await vi.waitUntil(() => notices({ slack }).length === 2 && notices({ slack }));
    if (!("signal" in verification)) throw new Error("verification is no process");
    verification.signal("SIGKILL");
    await verification.ended;
    await execution.restart();
    const listed = async () => (await get<MessageList>("/messages?person=U0GUEST0001")).messages;
    expect(await listed()).toEqual([]);
    await verification.restart();
    const ends = told.map(({ text }) => `${/Reference: ([\da-f-]+)/.exec(text)?.[1]} denied no_guests`);
    // A message whose end was not stored before the kill is open until the new process has judged it again.
    const found = async () =>
      (await listed()).map(({ message }) => `${message.reference} ${message.state} ${message.rule}`).toSorted(inOrder);
    await expect.poll(found, { timeout: 60_000, interval: 500 }).toEqual(ends.toSorted(inOrder));
  });
});
