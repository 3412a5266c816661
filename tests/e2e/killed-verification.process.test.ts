import { resolve } from "node:path";
import { startDevSlack, type DevSlack, type Message } from "@crosszone/dev-slack";
import type { Agent } from "@crosszone/execution";
import { newSqliteDatabase, onBothEngines, type NewDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { stateOf } from "../harness/start-crosszone.ts";
import { startExecution } from "../harness/start-execution.ts";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { databaseEnv } from "../harness/start-task-process.ts";
import { tune } from "@crosszone/testkit/tune";

// Each test starts two processes in sequence.
vi.setConfig({ testTimeout: 60_000 });

const token = "link-token-of-the-killed-verification-tests";

interface Killable {
  slack: DevSlack;
  /** Texts that the agent got, one for each run. */
  asked: string[];
  /** Lets the agent answer. */
  release: () => void;
  /** Starts a verification process on the shared database, and sends it Slack's events. */
  start: () => Promise<ZoneProcess>;
  /** Returns the app's messages in the thread of a message, as texts with their state. */
  thread: (root: Message) => { text: string; state: unknown }[];
}

/** Starts a local Slack and an execution zone that stays alive. The test starts and kills processes of verification. */
/** Work is shown after `showAfterMs`. */
async function setUp(newDatabase: NewDatabase, showAfterMs = 0): Promise<Killable> {
  const url = await newDatabase();
  const asked: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const agent: Agent = {
    name: "patient",
    description: "Answers when it may.",
    skills: [],
    run: async ({ text }, { preview }) => {
      asked.push(text);
      preview?.text("You said");
      preview?.text(" so far this ");
      await released;
      return { response_text: text === "long" ? "word ".repeat(5_000) : `You said: ${text}` };
    },
  };
  const execution = await startExecution({ token, log: [], agents: [agent] });
  const slack = await startDevSlack({ retryScheduleMs: [100, 500, 2_000, 4_000] });
  onTestFinished(async () => {
    release();
    await execution.stop();
    await slack.close();
  });
  return {
    slack,
    asked,
    release,
    start: async () => {
      const zone = await startProcess({
        cwd: resolve(import.meta.dirname, "../../apps/verification"),
        args: ["--conditions=@crosszone/source", "src/main.ts"],
        env: {
          VERIFICATION_PORT: "0",
          SLACK_BOT_TOKEN: slack.botToken,
          SLACK_SIGNING_SECRET: slack.signingSecret,
          SLACK_APP_ID: slack.workspace.app.app_id,
          SLACK_API_URL: slack.apiUrl,
          EXECUTION_URL: `${execution.url}/rpc`,
          EXECUTION_TOKEN: token,
          ...tune({ INBOX_LEASE_MS: 1_000, SHOW_WORK_AFTER_MS: showAfterMs, POLL_WAIT_MS: 200 }),
          STOP_GRACE: "100ms",
          ...databaseEnv(url),
        },
      });
      onTestFinished(() => zone.signal("SIGKILL"));
      slack.setEventsUrl(`${zone.url}/slack/events`);
      await vi.waitFor(async () => expect((await fetch(`${zone.url}/readyz`)).status).toBe(200), 10_000);
      return zone;
    },
    thread: (root) =>
      slack.control
        .messages({ channel: root.channel, thread_ts: root.ts })
        .filter(({ bot_id, ts }) => bot_id !== undefined && Number(ts) > Number(root.ts))
        .map((message) => ({
          text: message.markdown_text ?? message.text,
          state: stateOf(message),
        })),
  };
}

async function kill(zone: ZoneProcess): Promise<void> {
  zone.signal("SIGKILL");
  await zone.ended;
}

const write = (slack: DevSlack, text: string): Message => slack.control.postMessage({ channel: "dm", text });
const within = { timeout: 15_000, interval: 50 };

onBothEngines("a verification process that is killed", (newDatabase) => {
  test("Z8, Z9, S5, S13: while tasks run: the next process posts each answer once, and nothing runs twice", async () => {
    const { slack, asked, release, start, thread } = await setUp(newDatabase);
    const first = await start();
    const roots = ["one", "two", "long"].map((text) => write(slack, text));
    await vi.waitFor(() => {
      expect(asked.toSorted()).toEqual(["long", "one", "two"]);
      for (const root of roots) expect(thread(root)).toMatchObject([{ state: "working" }]);
    }, within);
    await kill(first);
    release();
    await start();
    await vi.waitFor(() => {
      expect(roots.map((root) => thread(root).map(({ state }) => state))).toEqual([
        ["done"],
        ["done"],
        ["done", "done", "done"],
      ]);
    }, within);
    expect(roots.slice(0, 2).map((root) => thread(root)[0]?.text)).toEqual(["You said: one", "You said: two"]);
    const parts = thread(roots[2] as Message).map(({ text }) => text);
    expect(parts.join("")).toBe("word ".repeat(5_000));
    expect(asked).toHaveLength(3);
  });

  test("Z9, S12: while it posts an answer: an answer that Slack has accepted is found, not posted again", async () => {
    const { slack, release, start, thread } = await setUp(newDatabase);
    const first = await start();
    const root = write(slack, "long");
    await vi.waitFor(() => expect(thread(root)).toMatchObject([{ state: "working" }]), within);
    slack.control.setFault({ method: "chat.postMessage", kind: "hang", takes_effect: true });
    release();
    // The second part is in the thread, and the process waits for Slack's response.
    await vi.waitFor(() => expect(thread(root).map(({ state }) => state)).toEqual(["done", "done"]), within);
    await kill(first);
    await start();
    await vi.waitFor(() => expect(thread(root)).toHaveLength(3), within);
    expect(
      thread(root)
        .map(({ text }) => text)
        .join(""),
    ).toBe("word ".repeat(5_000));
  });

  test("S5, Z9: while another one runs, as in a redeployment: the other one continues its work", async () => {
    const { slack, asked, release, start, thread } = await setUp(newDatabase);
    const old = await start();
    const before = write(slack, "before");
    await vi.waitFor(() => expect(asked).toEqual(["before"]), within);
    await start();
    const after = write(slack, "after");
    await vi.waitFor(() => expect(asked).toEqual(["before", "after"]), within);
    await kill(old);
    release();
    await vi.waitFor(() => {
      expect(thread(before)).toEqual([{ text: "You said: before", state: "done" }]);
      expect(thread(after)).toEqual([{ text: "You said: after", state: "done" }]);
    }, within);
    expect(asked).toEqual(["before", "after"]);
  });

  test("Z9: by SIGTERM: its work passes to the next process without a message", async () => {
    const { slack, release, start, thread } = await setUp(newDatabase);
    const old = await start();
    const root = write(slack, "handed over");
    await vi.waitFor(() => expect(thread(root)).toMatchObject([{ state: "working" }]), within);
    await start();
    expect(await old.stop()).toBe(0);
    expect(thread(root)).toMatchObject([{ state: "working" }]);
    release();
    await vi.waitFor(() => expect(thread(root)).toEqual([{ text: "You said: handed over", state: "done" }]), within);
  });
});

/** The call of Slack during which a process dies while it streams an answer. */
const deaths = [
  ["before a stream starts", { method: "chat.startStream", takes_effect: false }, "before"],
  ["between the start of a stream and its note", { method: "chat.startStream", takes_effect: true }, "before"],
  ["amid appends", { method: "chat.appendStream", takes_effect: true }, "before"],
  ["before a stream is stopped", { method: "chat.stopStream", takes_effect: false }, "after"],
  ["after the end of a stream, which is the answer", { method: "chat.stopStream", takes_effect: true }, "after"],
] as const;

test.each(deaths)("Z9, T1: killed %s: one complete answer, and no stream is left", async (_when, call, answered) => {
  const { slack, asked, release, start, thread } = await setUp(newSqliteDatabase);
  const heard = (): boolean => slack.control.traffic().some((entry) => JSON.stringify(entry).includes(call.method));
  const first = await start();
  slack.control.setFault({ ...call, kind: "hang" });
  const root = write(slack, "streamed");
  await vi.waitFor(() => expect(asked).toHaveLength(1), within);
  if (answered === "after") release();
  await vi.waitFor(() => expect(heard()).toBe(true), within);
  await kill(first);
  release();
  await start();
  await vi.waitFor(() => expect(thread(root)).toEqual([{ text: "You said: streamed", state: "done" }]), within);
  expect(asked).toHaveLength(1);
  const messages = slack.control.messages({ channel: root.channel, thread_ts: root.ts });
  expect(messages.filter(({ stream }) => stream?.state === "in_progress")).toEqual([]);
});

test.each([true, false])(
  "Z9, S12: killed while it posts a fast answer that Slack has accepted: %s: the answer is posted once",
  async (takes_effect) => {
    const { slack, asked, release, start, thread } = await setUp(newSqliteDatabase, 60_000);
    const first = await start();
    slack.control.setFault({ method: "chat.postMessage", kind: "hang", takes_effect, times: 1 });
    const posted = (): boolean => slack.control.traffic().some(({ name }) => name === "chat.postMessage");
    const root = write(slack, "fast");
    release();
    await vi.waitFor(() => expect(posted()).toBe(true), within);
    await kill(first);
    await start();
    await vi.waitFor(() => expect(thread(root)).toEqual([{ text: "You said: fast", state: "done" }]), within);
    await slack.control.idle();
    expect(thread(root)).toHaveLength(1);
    expect(asked).toHaveLength(1);
  },
);

test("a stop at one process ends the task of another", async () => {
  const { slack, start, thread, asked } = await setUp(newSqliteDatabase);
  await start();
  const root = write(slack, "something long");
  await vi.waitFor(() => expect(asked).toHaveLength(1), within);
  await start();
  slack.control.postMessage({ channel: "dm", text: "stop", thread_ts: root.ts });
  await vi.waitFor(() => expect(thread(root)).toEqual([{ text: "You said so far this ", state: "stopped" }]), within);
});
