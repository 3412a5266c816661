import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Control, type ControlEvent, type Message, type PostMessage, startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv, stateOf } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { type Crosszone, type CrosszoneOptions, startCrosszone } from "../../harness/start-crosszone.ts";
import { startTaskProcess } from "../../harness/start-task-process.ts";
import { startVerification } from "../../harness/start-verification.ts";
import { writeAgentsFile } from "../../harness/temp-file.ts";
import type { SdkAgent } from "./start-sdk-agent.ts";

type Registered = Pick<SdkAgent, "name" | "url">;

/** Starts both zones and a local Slack, and registers these agents by their base URL only. Ends with the test. */
export async function startSdkZones(
  agents: readonly Registered[],
  { env, limits, ...options }: CrosszoneOptions = {},
): Promise<Crosszone> {
  return startCrosszone({
    ...options,
    // As in production: with 66 simultaneous questions, a file may take longer than in other tests.
    fileTimeoutMs: 30_000,
    limits: { taskDeadlineMs: 180_000, ...limits },
    env: {
      AGENTS_FILE: writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
      AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
      MESSAGES_PER_MINUTE: "1000",
      ...env,
    },
  });
}

/** Starts a local Slack and verification. The test starts and kills processes of execution on one database. Ends with the test. */
export async function startKillableZones(agents: readonly SdkAgent[]) {
  const database = await newSqliteDatabase();
  const port = await freePort();
  const env = {
    AGENTS_FILE: writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
    AGENT_ORIGINS: agents.map(({ url }) => url).join(","),
    LOG_LEVEL: "debug",
  };
  const slack = await startDevSlack();
  const verification = await startVerification({
    env: {
      ...slackEnv(slack),
      EXECUTION_URL: `http://127.0.0.1:${port}/rpc`,
      ...tune({ POLL_WAIT_MS: 500, EXECUTION_RETRY_BUDGET_MS: 30_000 }),
    },
    log: [],
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
  });
  const followed = (): number => {
    const file = join(dirname(database.slice("sqlite:".length)), "execution.sqlite");
    using reading = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const row = reading.prepare(
      "select count(*) as n from job where kind = 'agent_call' and state < 4 and handle is not null",
    );
    return Number(row.get()?.["n"]);
  };
  return {
    slack,
    /** Counts open agent calls with a durable remote task id: another process can follow them. */
    followed,
    /** Starts a process of execution with these roles. With the role `rpc` it listens where verification expects it. */
    start: (roles: string) =>
      startTaskProcess(database, {
        ...env,
        EXECUTION_ROLES: roles,
        EXECUTION_PORT: String(roles.includes("rpc") ? port : 0),
      }),
  };
}

const isFinal = (message: Message): boolean => ["done", "failed", "stopped"].includes(String(stateOf(message)));

export type Thread = ReturnType<typeof openThread>;

/** One thread in the local Slack, as a person reads it. */
export function openThread(control: Control, timeoutMs: number) {
  const { write: post, replies: repliesTo, answerTo } = converse(control);
  let root: Message | undefined;
  let latest: Message | undefined;
  const shown: string[] = [];
  control.subscribe((event: ControlEvent) => {
    if (root !== undefined && JSON.stringify(event).includes(root.ts)) shown.push(JSON.stringify(event));
  });
  const replies = (): Message[] => (root === undefined ? [] : repliesTo(root));
  const textOf = ({ markdown_text, text }: Message): string => markdown_text ?? text;
  /** Writes without waiting for the answer; the first message opens the thread. */
  const write = (text: string, files?: PostMessage["files"]): void => {
    latest = post({ text, files, thread_ts: root?.ts });
    root ??= latest;
  };
  /** Resolves with the text of the final answer to the latest message. */
  const answer = async (): Promise<string> => textOf(await answerTo(latest as Message, timeoutMs));
  return {
    write,
    answer,
    say: (text: string, files?: PostMessage["files"]): Promise<string> => {
      write(text, files);
      return answer();
    },
    /** Returns the files that the app put into the thread, by name. */
    files: (): ReadonlyMap<string, string> =>
      new Map(
        replies()
          .flatMap(({ files = [] }) => files)
          .map(({ id, name }) => [name, control.file(id).bytes.toString()]),
      ),
    /** Returns the app's final answers, oldest first. */
    answers: () => replies().filter(isFinal).map(textOf),
    /** Returns everything that the app showed in the thread or as its status, even if it removed it later. */
    everShown: () => shown.join("\n"),
  };
}
