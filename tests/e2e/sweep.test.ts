// suite: both
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { someOf } from "@crosszone/testkit/cpu";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import type { VerificationDeps } from "@crosszone/verification";
import { expect, onTestFinished, test, vi } from "vitest";
import { agentThat } from "../harness/start-called-zone.ts";
import { type CrosszoneOptions, openVerification, overSocket, startCrosszone } from "../harness/start-crosszone.ts";

/** Slack's third tier without bursts, and a Slack that soon gives up. */
const strict = { rateLimits: { tier_3: { burst: 50, per_minute: 50 } }, retryScheduleMs: [20, 60, 150] };

/** An agent that repeats the question, and both zones with it. `away` runs while verification is away; `back` starts it again. */
async function startEcho(database: string, more: Readonly<Record<string, string>> = {}, own: CrosszoneOptions = {}) {
  const asked: string[] = [];
  const echo = agentThat("builtin", async ({ text }) => {
    asked.push(text);
    return { response_text: `You said: ${text}` };
  });
  const server: Record<string, string> = database.startsWith("sqlite:") ? {} : { DATABASE_URL: database };
  const pace = tune({ SWEEP_PACE_MS: 20, HEARTBEAT_MS: 200 });
  const folder = tempFolder();
  const env = { DATA_DIR: folder, ...server, ...pace, ...more };
  const zones = await startCrosszone({ agents: [echo], slack: strict, verificationEnv: env, ...own });
  const { slack, log, linkToken } = zones;
  const { control } = slack;
  let stop = zones.verification.stop;
  const sweeps = () => log.filter(({ event }) => event === "history_swept");
  let before = 0;
  return {
    ...zones,
    folder,
    asked,
    say: (text: string, post: Partial<Parameters<typeof control.postMessage>[0]> = {}) =>
      control.postMessage({ channel: "general", user: "bob", text, ...post }),
    /** Stops verification, and lets people write until Slack gives up. */
    away: async (write: () => void): Promise<void> => {
      await stop();
      write();
      await control.idle();
    },
    back: async (override?: (deps: VerificationDeps) => Partial<VerificationDeps>) => {
      before = sweeps().length;
      const link = { EXECUTION_URL: `${slack.tapUrl}/rpc`, EXECUTION_TOKEN: linkToken };
      const opened = await openVerification({ env: tune({}, { ...env, ...slackEnv(slack), ...link }), log, override });
      slack.setEventsUrl(`${opened.url}/slack/events`);
      stop = opened.stop;
      onTestFinished(opened.stop);
    },
    /** Resolves with the first sweep since verification is back. A process that a busy machine does not run sweeps once more. */
    swept: () => vi.waitUntil(() => sweeps()[before]),
  };
}

onBothEngines("messages of an outage", (newDatabase) => {
  test("P5, W3, W4: what was meant for the app is answered once in its thread, and nothing else is", async () => {
    const policy = tempFile("verification.yaml", JSON.stringify({ policy: { reactions: { ticket: "builtin" } } }));
    const zones = await startEcho(await newDatabase(), { VERIFICATION_FILE: policy });
    const { say, asked, away, back, swept, answerTo, slack, log } = zones;
    const { control } = slack;
    const first = say("@Crosszone first", { user: "alice" });
    await answerTo(first);
    const printer = say("the printer burns");
    control.react({ user: "alice", channel: "general", ts: printer.ts, reaction: "ticket" });
    await control.waitForMessage(({ text }) => text.trim() === "You said:");
    const [talk, old, edited] = [say("lunch?"), say("an old thread"), say("order chairs")];
    let posted: Message[] = [];
    await away(() => {
      posted = [
        say("in a direct message", { channel: "dm" }),
        say("@Crosszone a mention"),
        say("a reply of who is followed", { user: "alice", thread_ts: first.ts }),
        say("a reply of who asked by a reaction", { user: "alice", thread_ts: printer.ts }),
        say("@Crosszone into an old thread", { thread_ts: old.ts }),
      ];
      say("a reply of who is not followed", { thread_ts: first.ts });
      say("before the mention", { thread_ts: talk.ts });
      posted.push(say("@Crosszone in the middle", { thread_ts: talk.ts }), say("and after it", { thread_ts: talk.ts }));
      const deleted = say("@Crosszone never mind");
      control.deleteMessage({ ...deleted, user: "bob" });
      control.editMessage({ ...edited, user: "bob", text: "@Crosszone order chairs" });
      posted.push(edited);
      for (let count = 0; count < 60; count += 1) say("nobody is asked", { channel: "general" });
    });
    await back();
    await swept();
    for (const one of posted) await answerTo(one);
    const expected = ["first", "", ...posted.map(({ text }) => text.replace(/^<@\w+> /, ""))].toSorted();
    expect(asked.toSorted()).toEqual(expected);
    expect(asked.indexOf("and after it")).toBeGreaterThan(asked.indexOf("in the middle"));
    control.sendEvent({ ...posted[1], type: "message", channel_type: "channel" } as never);
    await away(() => undefined);
    await back();
    await swept();
    expect(asked.toSorted()).toEqual(expected);
    expect(log.filter(({ event, kind }) => event === "slack_called" && kind === "rate_limited")).toEqual([]);
    const threads = new Set([first, ...posted].map(({ ts, thread_ts }) => thread_ts ?? ts));
    const own = slack.workspace.channels.flatMap(({ id }) => control.messages({ channel: id }));
    const said = own.filter(({ user }) => user === slack.workspace.app.bot_user_id);
    expect(said.map(({ thread_ts = "" }) => threads.has(thread_ts)).every(Boolean)).toBe(true);
    // One more says what the reaction asks.
    expect(said).toHaveLength(expected.length + 1);
  });

  test("P5, W3: a question that is open is withdrawn if its message was deleted meanwhile", async () => {
    const answer = Promise.withResolvers<{ response_text: string }>();
    const slow = agentThat("builtin", () => answer.promise);
    const { say, away, back, swept, slack, log } = await startEcho(await newDatabase(), {}, { agents: [slow] });
    const question = say("@Crosszone a secret");
    const own = () => slack.control.messages({ channel: "general" }).filter(({ bot_id }) => bot_id !== undefined);
    await vi.waitFor(() => expect(own()).toHaveLength(1));
    await away(() => slack.control.deleteMessage({ ...question, user: "bob" }));
    await back();
    await swept();
    const ended = () => log.filter(({ event, outcome }) => event === "question_done" && outcome === "withdrawn");
    await vi.waitFor(() => expect(ended()).toHaveLength(1));
    answer.resolve({ response_text: "too late" });
    expect(own()).toEqual([]);
  });

  test("X27: another app's message with the metadata of ours hid the questions before it: only our own messages are marked", async () => {
    const { say, asked, away, back, swept, answerTo, slack } = await startEcho(await newDatabase());
    const first = say("@Crosszone first", { user: "alice" });
    await answerTo(first);
    let written: Message | undefined;
    await away(() => {
      written = say("@Crosszone second", { user: "alice", thread_ts: first.ts });
      const event_payload = { request_id: "r", correlation_id: "of nobody", state: "done", asker: "U0ALICE0001" };
      const metadata = { event_type: "crosszone_task", event_payload };
      const user = slack.workspace.users.find(({ name }) => name === "deploybot")?.id ?? "";
      say("deployed", { user, thread_ts: first.ts, metadata });
    });
    await back();
    await swept();
    if (written) await answerTo(written);
    expect(asked).toEqual(["first", "second"]);
  });

  test.each(someOf(["partner"], 0))(
    "W16.1: what our people wrote in a %s's channel is answered, and theirs is not",
    async () => {
      const policy = tempFile("verification.yaml", JSON.stringify({ policy: { allow_shared_channels: true } }));
      const zones = await startEcho(await newDatabase(), { VERIFICATION_FILE: policy });
      const { say, asked, away, back, swept, answerTo, log } = zones;
      await answerTo(say("@Crosszone before", { channel: "partners", user: "alice" }));
      let written: Message | undefined;
      await away(() => {
        say("@Crosszone of the partner", { channel: "partners", user: "paula" });
        written = say("@Crosszone meanwhile", { channel: "partners", user: "alice" });
      });
      await back();
      await swept();
      if (written) await answerTo(written);
      expect(asked).toEqual(["before", "meanwhile"]);
      expect(log.filter(({ event, rule }) => event === "policy_denied" && rule !== "author_team")).toEqual([]);
    },
  );

  test.each(someOf(["its author"], 0))("W18.1: a waiting question gets the words that %s gave it", async () => {
    const [asked, holds] = [[] as string[], [] as PromiseWithResolvers<void>[]];
    const slow = agentThat("builtin", async ({ text }) => {
      asked.push(text);
      const hold = Promise.withResolvers<void>();
      holds.push(hold);
      await hold.promise;
      return { response_text: `You said: ${text}` };
    });
    const zones = await startEcho(await newDatabase(), {}, { agents: [slow] });
    const { say, away, back, swept, slack, answerTo } = zones;
    const first = say("@Crosszone first");
    await vi.waitFor(() => expect(asked).toEqual(["first"]));
    const second = say("order 30 chairs", { thread_ts: first.ts });
    await slack.control.idle();
    await away(() => slack.control.editMessage({ ...second, user: "bob", text: "order 3 chairs" }));
    await back();
    await swept();
    const answered = answerTo(second);
    await vi.waitFor(() => {
      for (const hold of holds) hold.resolve();
      expect(asked).toContain("order 3 chairs");
    });
    for (const hold of holds) hold.resolve();
    await answered;
    expect(asked).not.toContain("order 30 chairs");
  });

  test.each(someOf(["a reaction"], 0))("W32: %s of an outage is answered once its person adds it again", async () => {
    const policy = tempFile("verification.yaml", JSON.stringify({ policy: { reactions: { ticket: "builtin" } } }));
    const { say, asked, away, back, swept, slack } = await startEcho(await newDatabase(), {
      VERIFICATION_FILE: policy,
    });
    const printer = say("the printer burns");
    const react = () => slack.control.react({ ...printer, user: "alice", reaction: "ticket" });
    await away(react);
    await back();
    await swept();
    expect(asked).toEqual([]);
    react();
    react();
    await vi.waitFor(() => expect(asked).toEqual([""]));
  });

  test("P5: after a socket was lost, history is read", async () => {
    const own = { ...overSocket, slack: { ...overSocket.slack, ...strict } };
    const { swept, slack, answerTo, say } = await startEcho(await newDatabase(), overSocket.env, own);
    await answerTo(say("@Crosszone first"));
    slack.control.disconnectSockets("refresh_requested");
    await swept();
    expect((await answerTo(say("@Crosszone second"))).text).toBe("You said: second");
  });

  test("P5: after a copy of the database was restored, what was answered since is not answered again", async () => {
    const url = await newDatabase();
    if (!url.startsWith("sqlite:")) return;
    const { say, asked, away, back, swept, answerTo, folder } = await startEcho(url);
    const [file, copy] = ["verification.sqlite", "copy.sqlite"].map((name) => join(folder, name)) as [string, string];
    await away(() => copyFileSync(file, copy));
    await back();
    await swept();
    const question = say("@Crosszone answered once");
    await answerTo(question);
    await away(() => {
      copyFileSync(copy, file);
      say("@Crosszone not answered yet", { thread_ts: question.ts });
    });
    await back();
    await swept();
    await vi.waitFor(() => expect(asked).toEqual(["answered once", "not answered yet"]));
  });

  const found = [
    { when: "beyond the bound", most: 1, laterMs: 0, texts: ["the newer one"] },
    { when: "a day later", most: 500, laterMs: 90_000_000, texts: [] },
  ];
  test.each(someOf(found, 1))(
    "P5: what is found $when is listed, and the operators are told once",
    async ({ most, laterMs, texts }) => {
      const more = {
        OPERATOR_CHANNEL: "C0GENERAL01",
        ...tune({ SWEEP_PACE_MS: 0, HEARTBEAT_MS: 200, MAX_SWEPT: most }),
      };
      const { say, asked, away, back, swept, slack, log } = await startEcho(await newDatabase(), more);
      await away(() => {
        say("the older one", { channel: "dm" });
        say("the newer one", { channel: "dm" });
      });
      await back(({ clock }) => ({ clock: { ...clock, now: () => Date.now() + laterMs } }));
      const sweep = await swept();
      const missed = 2 - texts.length;
      expect(sweep).toMatchObject({ missed });
      expect(log.filter(({ event, outcome }) => event === "message_swept" && outcome === "missed")).toHaveLength(
        missed,
      );
      const told = () => slack.control.messages({ channel: "general" }).map(({ text }) => text);
      await vi.waitFor(() =>
        expect(told()).toEqual([expect.stringMatching(`^I was away since <!date.*${missed} message`)]),
      );
      await vi.waitFor(() => expect(asked).toEqual(texts));
    },
  );
});
