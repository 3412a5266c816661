import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Message } from "@crosszone/dev-slack";
import { stateOf } from "@crosszone/dev-slack/client";
import type { Agent } from "@crosszone/execution";
import { freePort } from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished, test } from "vitest";
import { startExecution } from "../harness/start-execution.ts";
import { startVerification } from "../harness/start-verification.ts";

const token = "link-token-of-the-killed-slack-tests";
const main = resolve(import.meta.dirname, "../../dev/slack/src/main.ts");
const secrets = {
  SLACK_BOT_TOKEN: "xoxb-killed-slack",
  SLACK_SIGNING_SECRET: "signing-secret-of-the-killed-slack-tests",
};

interface KillableSlack {
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly write: (text: string, file?: string) => Promise<Message>;
  /** The app's messages in the thread of a message. */
  readonly replies: (root: Message) => Promise<Message[]>;
}

/** Prepares a local Slack whose workspace is in a folder of the test. */
async function killableSlack(eventsUrl: string): Promise<KillableSlack> {
  const folder = await mkdtemp(join(tmpdir(), "killed-slack-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true });
  });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return (await fetch(`${url}/control/${path}`, body && json)).json();
  };
  return {
    url,
    kill,
    start: async () => {
      const env = { DATA_DIR: folder, DEV_SLACK_PORT: new URL(url).port, DEV_SLACK_EVENTS_URL: eventsUrl, ...secrets };
      child = spawn(process.execPath, ["--conditions=@crosszone/source", main], {
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout ?? child, "data");
    },
    write: async (text, file) => {
      const files = file === undefined ? [] : [{ name: file, mimetype: "text/plain", content: "as it was" }];
      const answer = (await ask("messages", { channel: "dm", text, files })) as { message: Message };
      return answer.message;
    },
    replies: async ({ channel, ts }) => {
      const { messages } = (await ask(`messages?channel=${channel}&thread_ts=${ts}`)) as { messages: Message[] };
      return messages.filter(({ bot_id }) => bot_id !== undefined);
    },
  };
}

interface Setup {
  readonly slack: KillableSlack;
  /** The questions that the agent got. */
  readonly asked: string[];
  /** Lets the agent answer. */
  readonly release: () => void;
  readonly startZone: () => Promise<void>;
}

async function setUp(): Promise<Setup> {
  const asked: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const agent: Agent = {
    name: "patient",
    description: "Answers when it may.",
    skills: [],
    run: async ({ text }, { preview }) => {
      asked.push(text);
      preview?.text("The first words. ");
      await released;
      preview?.text("The last words.");
      return { response_text: "The first words. The last words." };
    },
  };
  const execution = await startExecution({ token, log: [], agents: [agent] });
  const port = await freePort();
  const slack = await killableSlack(`http://127.0.0.1:${port}/slack/events`);
  onTestFinished(async () => {
    release();
    await execution.stop();
  });
  return {
    slack,
    asked,
    release,
    startZone: async () => {
      const zone = await startVerification({
        log: [],
        port,
        env: {
          ...secrets,
          SLACK_APP_ID: "A0CROSSZONE",
          SLACK_API_URL: `${slack.url}/api/`,
          EXECUTION_URL: `${execution.url}/rpc`,
          EXECUTION_TOKEN: token,
          ...tune({ INBOX_LEASE_MS: 1_000, SHOW_WORK_AFTER_MS: 0, POLL_WAIT_MS: 200 }),
        },
      });
      onTestFinished(() => zone.stop());
    },
  };
}

const textsOf = (messages: readonly Message[]): string[] => messages.map(({ text }) => text.trim());

for (const moment of ["before the last words", "after them, while it is down"] as const)
  test(`a local Slack that is killed in mid-answer and starts again ${moment} shows the whole answer once`, async () => {
    const { slack, asked, release, startZone } = await setUp();
    await slack.start();
    await startZone();
    const question = await slack.write("tell me", "notes.txt");
    await expect.poll(async () => textsOf(await slack.replies(question)).join()).toContain("The first words.");
    const [before] = await slack.replies(question);
    await slack.kill();
    if (moment !== "before the last words") release();
    await slack.start();
    expect((await slack.replies(question))[0]?.ts).toBe(before?.ts);
    release();
    await expect.poll(async () => (await slack.replies(question)).map(stateOf)).toEqual(["done"]);
    expect(textsOf(await slack.replies(question))).toEqual(["The first words. The last words."]);
    expect(asked).toEqual(["tell me"]);
    const [file] = question.files ?? [];
    const content = await fetch(`${slack.url}/control/files/${file?.id ?? ""}`);
    expect(await content.text()).toBe("as it was");
  });

test("a question that the local Slack could not deliver before it was killed is answered once after both start again", async () => {
  const { slack, asked, release, startZone } = await setUp();
  release();
  await slack.start();
  const question = await slack.write("is anyone there?");
  await slack.kill();
  await Promise.all([startZone(), slack.start()]);
  await expect.poll(async () => textsOf(await slack.replies(question))).toEqual(["The first words. The last words."]);
  expect(asked).toEqual(["is anyone there?"]);
});
