import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Control, type ControlEvent, type Message, type PostMessage, startDevSlack } from "@crosszone/dev-slack";
import { slackEnv, stateOf } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
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

export interface WrongWorld {
  /** Returns the agent card for the server's URL. Default: a 404. */
  readonly card?: (url: string) => object;
  /** Answers all other requests. Default: a 404. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Starts a server that differs from its registration, on a free port of loopback. Resolves with its URL. Ends with the test. */
export async function startWrongWorld({ card, answer }: WrongWorld): Promise<string> {
  let url = "";
  const origin = await serve((request, response) => {
    if (card && request.url === "/.well-known/agent-card.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(card(url)));
    } else if (answer) answer(request, response);
    else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
  });
  url = origin;
  return url;
}

/** One thread in the local Slack, as a person reads it. */
export interface Thread {
  /** Writes into the thread; the first message opens it. Resolves with the text of the final answer. */
  say(text: string, files?: PostMessage["files"]): Promise<string>;
  /** Writes without waiting for the answer. */
  write(text: string, files?: PostMessage["files"]): void;
  /** Resolves with the text of the final answer to the latest message. */
  answer(): Promise<string>;
  /** Returns the files that the app put into the thread, by name. */
  files(): ReadonlyMap<string, string>;
  /** Returns the app's final answers, oldest first. */
  answers(): readonly string[];
  /** Returns everything that the app showed in the thread or as its status, even if it removed it later. */
  everShown(): string;
}

const finalStates = ["done", "failed", "stopped"];

export function openThread(control: Control, timeoutMs: number): Thread {
  let root: Message | undefined;
  let latest: Message | undefined;
  const shown: string[] = [];
  const inThread = (message: Message): boolean =>
    root !== undefined && message.channel === root.channel && (message.thread_ts ?? message.ts) === root.ts;
  control.subscribe((event: ControlEvent) => {
    if (root !== undefined && JSON.stringify(event).includes(root.ts)) shown.push(JSON.stringify(event));
  });
  const replies = (): Message[] =>
    root === undefined
      ? []
      : control.messages({ channel: root.channel, thread_ts: root.ts }).filter(({ bot_id }) => bot_id !== undefined);
  const isFinal = (message: Message): boolean => finalStates.includes(String(stateOf(message)));
  const textOf = ({ markdown_text, text }: Message): string => markdown_text ?? text;
  const write: Thread["write"] = (text, files) => {
    latest = control.postMessage({ channel: "dm", text, files, thread_ts: root?.ts });
    root ??= latest;
  };
  const answer: Thread["answer"] = async () => {
    const after = Number(latest?.ts);
    const first = await control.waitForMessage(
      (message) => inThread(message) && message.bot_id !== undefined && Number(message.ts) > after && isFinal(message),
      timeoutMs,
    );
    return textOf(first);
  };
  return {
    write,
    answer,
    say: (text, files) => {
      write(text, files);
      return answer();
    },
    files: () =>
      new Map(
        replies()
          .flatMap(({ files = [] }) => files)
          .map(({ id, name }) => [name, control.file(id).bytes.toString()]),
      ),
    answers: () => replies().filter(isFinal).map(textOf),
    everShown: () => shown.join("\n"),
  };
}
