// suite: rest
// @module-tag judge
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Message } from "../protocol/workspace.ts";
import type { DevSlack } from "../server/dev-slack.ts";
import {
  actions,
  approve,
  interactionOf,
  callWebApi,
  devSlackForTest,
  eventOf,
  postAsApp,
  recordingApp,
} from "../testing/dev-slack-for-test.ts";
import { createControlClient } from "./control-client.ts";
import { press } from "./press.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Runs the terminal client as a process of its own, without a terminal. */
function run(dev: Pick<DevSlack, "url">, ...argv: string[]): { done: Promise<object>; interrupt: () => void } {
  const env = { ...process.env, DEV_SLACK_URL: dev.url };
  const child = spawn(process.execPath, [main, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const code = new Promise((resolve) => child.once("close", resolve));
  const done = Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { done: done.then(([exit, out, err]) => ({ exit, out, err })), interrupt: () => child.kill("SIGINT") };
}

/** Waits until a person has written this. */
function asked(dev: DevSlack, words: string): Promise<Message> {
  return dev.control.waitForMessage((message) => message.bot_id === undefined && message.text.includes(words), 15_000);
}

const task = (state: string, rest: object = {}): { metadata: object } => ({
  metadata: { event_type: "crosszone_task", event_payload: { state, ...rest } },
});

/** Posts as the app into the thread of a question. */
function reply(
  { channel, ts, thread_ts = ts }: Message,
  dev: DevSlack,
  args: Record<string, unknown>,
): Promise<string> {
  return postAsApp(dev, channel, { thread_ts, ...args });
}

describe("an answer", () => {
  it("that is streamed is printed once, with its tasks, when all of its messages have ended", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "how many?");
    const { channel, ts: thread_ts } = await asked(dev, "how many?");
    const counted = { type: "task_update", id: "t1", title: "Count", status: "complete", output: "42" };
    const words = { type: "markdown_text", text: "There are" };
    const first = await callWebApi(dev, "chat.startStream", { channel, thread_ts, chunks: [counted, words] });
    await callWebApi(dev, "chat.stopStream", { channel, ts: first["ts"], session_status: "processing" });
    const { ts } = await callWebApi(dev, "chat.startStream", { channel, thread_ts, markdown_text: "for" });
    await callWebApi(dev, "chat.appendStream", { channel, ts, markdown_text: "ty-two." });
    await callWebApi(dev, "chat.stopStream", { channel, ts });
    const out = "Alice Berger: how many?\nCrosszone: ✓ Count: 42\n  There are\nCrosszone: forty-two.\n";
    expect(await done).toEqual({ exit: 0, out, err: "" });
  });

  it("comes after the steps of its placeholder, each shown as it changes", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "run publish-text: hello");
    const question = await asked(dev, "publish-text");
    const ts = await reply(question, dev, { text: "Working on it…", ...task("working") });
    const change = (markdown_text: string, state: string): Promise<unknown> =>
      callWebApi(dev, "chat.update", { channel: question.channel, ts, markdown_text, ...task(state) });
    await change("Working on it…\n\n◐ Proofread\n○ Seal", "working");
    await change("Working on it…\n\n✓ Proofread\n◐ Seal", "working");
    await change("✓ Proofread · ✓ Seal\n\nDone.", "done");
    const said = ["Working on it…", "  ◐ Proofread", "  ○ Seal", "  ✓ Proofread", "  ◐ Seal"].join("\n");
    expect(await done).toMatchObject({
      exit: 0,
      out: `Alice Berger: run publish-text: hello\nCrosszone: ${said}\nCrosszone: ✓ Proofread · ✓ Seal\n\n  Done.\n`,
    });
  });

  it("with a file does not end at the file, which arrives before the text; name, size and link are printed", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "report");
    const { channel, ts: thread_ts } = await asked(dev, "report");
    const announced = await callWebApi(dev, "files.getUploadURLExternal", { filename: "report.csv", length: 3 });
    await fetch(String(announced["upload_url"]), { method: "POST", body: "a,b" });
    const files = [{ id: announced["file_id"] }];
    await callWebApi(dev, "files.completeUploadExternal", { files, channel_id: channel, thread_ts });
    const { ts } = await callWebApi(dev, "chat.startStream", { channel, thread_ts, markdown_text: "Here " });
    await callWebApi(dev, "chat.stopStream", { channel, ts, markdown_text: "it is." });
    const link = `${dev.url}/control/files/${String(announced["file_id"])}`;
    const out = `Alice Berger: report\nCrosszone: [file report.csv, 3 B: ${link}]\nCrosszone: Here it is.\n`;
    expect(await done).toEqual({ exit: 0, out, err: "" });
    expect(await (await fetch(link)).text()).toBe("a,b");
  });

  it("that announces files ends with them, or with what says that one is missing", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "reports");
    const question = await asked(dev, "reports");
    await reply(question, dev, { text: "Here they are.", ...task("done", { request_id: "1", files: 2 }) });
    const { channel, ts: thread_ts } = question;
    const announced = await callWebApi(dev, "files.getUploadURLExternal", { filename: "report.csv", length: 3 });
    await fetch(String(announced["upload_url"]), { method: "POST", body: "a,b" });
    const files = [{ id: announced["file_id"] }];
    await callWebApi(dev, "files.completeUploadExternal", { files, channel_id: channel, thread_ts });
    await reply(question, dev, { text: "Not attached: b.csv.", ...task("done", { request_id: "1:files" }) });
    const link = `${dev.url}/control/files/${String(announced["file_id"])}`;
    const out = `Alice Berger: reports\nCrosszone: Here they are.\nCrosszone: [file report.csv, 3 B: ${link}]\nCrosszone: Not attached: b.csv.\n`;
    expect(await done).toEqual({ exit: 0, out, err: "" });
  });

  it("that waits for people ends with their input requests", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "send it");
    const question = await asked(dev, "send it");
    await reply(question, dev, { text: "Waits.", ...task("done", { request_id: "1", inputs: 2 }) });
    for (const title of ["Send?", "Really?"])
      await reply(question, dev, { text: title, ...task("done", { request_id: `input:${title}` }) });
    const out = "Alice Berger: send it\nCrosszone: Waits.\nCrosszone: Send?\nCrosszone: Really?\n";
    expect(await done).toEqual({ exit: 0, out, err: "" });
  });

  it("that failed ends with 1, and so does a refusal that only the requester sees", async () => {
    const dev = await devSlackForTest();
    const failed = run(dev, "fail");
    await reply(await asked(dev, "fail"), dev, { text: "It did not work. Reference abc.", ...task("failed") });
    expect(await failed.done).toMatchObject({ exit: 1, out: expect.stringContaining("Reference abc") as string });

    const refused = run(dev, "--channel", "#general", "@crosszone secret");
    const { channel, user, text: sent } = await asked(dev, "secret");
    expect(sent).toBe("<@U0CROSSZONE> secret");
    await callWebApi(dev, "chat.postEphemeral", { channel, user, text: "You may not." });
    expect(await refused.done).toMatchObject({
      exit: 1,
      out: expect.stringContaining("You may not.") as string,
      err: "",
    });
  });

  it("that does not come in time ends with 4; other threads and people do not count", async () => {
    const dev = await devSlackForTest();
    const { done } = run(dev, "--timeout", "2", "--channel", "general", "@Crosszone anyone?");
    const question = await asked(dev, "anyone");
    await postAsApp(dev, question.channel, { text: "not in the thread" });
    await createControlClient(dev.url).post({ channel: "general", user: "bob", text: "me", thread_ts: question.ts });
    const err = "No complete answer within 2 seconds.\n";
    expect(await done).toEqual({ exit: 4, out: "Alice Berger: @Crosszone anyone?\n", err });
  });
});

it("Ctrl+C presses Stop, and the client waits for what the app says then", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const { done, interrupt } = run(dev, "slow");
  const question = await asked(dev, "slow");
  const ts = await reply(question, dev, { text: "Working…", ...task("working") });
  await expect.poll(() => dev.control.messages({ channel: question.channel }).length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  interrupt();
  await expect.poll(() => app.requests.map((request) => eventOf(request)["type"])).toContain("agent_session_stopped");
  await callWebApi(dev, "chat.update", { channel: question.channel, ts, text: "Stopped.", ...task("canceled") });
  expect(await done).toMatchObject({ exit: 1, out: expect.stringContaining("Crosszone: Stopped.") as string });
});

describe("--press", () => {
  it("presses the newest button with the label as the person, and prints what changes until the work has ended, oldest first", async () => {
    const app = await recordingApp();
    const dev = await devSlackForTest();
    const [channel, blocks] = ["D0BOB000001", [actions(approve)]];
    const [older, ts] = [
      await postAsApp(dev, channel, { text: "1", blocks }),
      await postAsApp(dev, channel, { text: "2", blocks }),
    ];
    await dev.control.idle();
    dev.setEventsUrl(app.url);
    const { done } = run(dev, "--as", "bob", "--press", "approve");
    await expect.poll(() => app.requests.length, { timeout: 15_000 }).toBe(1);
    await callWebApi(dev, "chat.update", { channel, ts, text: "Approved.", blocks: [] });
    const thread = { channel_id: channel, thread_ts: ts };
    await callWebApi(dev, "agents.sessions.setStatus", { ...thread, status: "processing" });
    await delay(2_500);
    await callWebApi(dev, "chat.postEphemeral", { channel, user: "U0BOB000001", text: "Thank you." });
    await callWebApi(dev, "agents.sessions.setStatus", { ...thread, status: "active" });
    expect(await done).toEqual({ exit: 0, out: "Crosszone: Approved.\nCrosszone: Thank you.\n", err: "" });
    expect(interactionOf(app.requests[0])).toMatchObject({ user: { name: "bob" }, container: { message_ts: ts } });
    expect(older).not.toBe(ts);
  });

  it("waits for a message with the button", async () => {
    const app = await recordingApp();
    const dev = await devSlackForTest();
    const client = createControlClient(dev.url);
    let looks = 0;
    const messages: typeof client.messages = async (channel) => {
      const found = await client.messages(channel);
      if (++looks > 1) return found;
      await postAsApp(dev, channel, { text: "Now", blocks: [actions(approve)] });
      await dev.control.idle();
      dev.setEventsUrl(app.url);
      return found;
    };
    const pressed = press({ ...client, messages }, "Approve", { channel: "dm", as: "bob", timeoutMs: undefined });
    await expect.poll(() => app.requests.length, { timeout: 15_000 }).toBe(1);
    const { container } = interactionOf(app.requests[0]) as { container: { channel_id: string; message_ts: string } };
    await callWebApi(dev, "chat.update", {
      channel: container.channel_id,
      ts: container.message_ts,
      text: "Approved.",
    });
    expect(await pressed).toMatchObject({ state: "done" });
  });

  it("says that no message has the button, with 2, that the app did not take it, with 1, and that nothing came, with 4", async () => {
    const dev = await devSlackForTest();
    expect(await run(dev, "--timeout", "0.5", "--press", "Approve").done).toMatchObject({
      exit: 2,
      err: 'The local Slack refused: no message in this conversation has a button "Approve"\n',
    });
    await postAsApp(dev, "D0ALICE0001", { text: "1", blocks: [actions(approve)] });
    expect(await run(dev, "--press", "Approve").done).toMatchObject({
      exit: 1,
      err: "The app did not take it: dispatch_failed\n",
    });
    dev.setEventsUrl((await recordingApp()).url);
    expect(await run(dev, "--timeout", "1", "--press", "Approve").done).toMatchObject({
      exit: 4,
      err: "Nothing changed within 1 seconds.\n",
    });
  });
});

describe("without an answer", () => {
  it("Q28: refuses at once, with 1, a message that the app can't receive or answer, and says what to do", async () => {
    const dev = await devSlackForTest();
    const refused = (channel: string, said: string) => run(dev, "--channel", channel, said).done;
    const open = `Open ${dev.url}/#/C0RANDOM001 and press Add app.`;
    const err = `Crosszone is not a member of #random and gets no messages from it. ${open}\n`;
    for (const said of ["@Crosszone hi", "hi"])
      expect(await refused("random", said)).toEqual({ exit: 1, out: "", err });
    for (const [channel, said, words] of [
      [
        "general",
        "hi",
        /^In #general, Crosszone gets a message only if it mentions the app: start with @Crosszone\.\n$/,
      ],
      ["#old-project", "@Crosszone hi", /^#old-project is archived: Crosszone can't answer there\..*\n$/],
    ] as const)
      expect(await refused(channel, said)).toEqual({ exit: 1, out: "", err: expect.stringMatching(words) as string });
    expect(dev.control.messages({ channel: "random" })).toEqual([]);

    // In a thread a reply needs no mention, and a command none anywhere.
    const { ts } = dev.control.postMessage({ channel: "general", text: "@Crosszone hello" });
    expect(await run(dev, "--channel", "general", "--thread", ts, "--timeout", "1", "more").done).toMatchObject({
      exit: 4,
    });
    expect(await run(dev, "--channel", "random", "--timeout", "1", "/nothing").done).toMatchObject({ err: "" });
    dev.control.addApp("#random");
    expect(await run(dev, "--channel", "random", "--timeout", "1", "@Crosszone hi").done).toMatchObject({ exit: 4 });
  });

  it("says how to start a local Slack that is not there, with 3", async () => {
    expect(await run({ url: "http://127.0.0.1:9" }, "hi").done).toEqual({
      exit: 3,
      out: "",
      err: "Cannot reach the local Slack at http://127.0.0.1:9/. Start it with: ./crosszone dev\n",
    });
  });

  it.each([
    [[]],
    [["--timeout", "soon", "hi"]],
    [["--nonsense", "hi"]],
    [["--press", "Approve", "hi"]],
    [["--url", "ftp://x", "hi"]],
  ])("explains itself for the arguments %j, with 2", async (argv) => {
    const result = await run({ url: "http://127.0.0.1:9" }, ...argv).done;
    expect(result).toMatchObject({ exit: 2, out: "", err: expect.stringContaining("./crosszone chat") as string });
  });
});
