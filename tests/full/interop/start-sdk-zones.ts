import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { stripVTControlCharacters } from "node:util";
import { type Control, type ControlEvent, type Message, type PostMessage, startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv, stateOf } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { startOnDatabase } from "@crosszone/testkit/process";
import { expect, onTestFinished } from "vitest";
import { writeAgentsFile } from "../../harness/temp-file.ts";
import type { JournalEntry } from "./agents/play-scenario.ts";
import type { SdkAgent } from "./start-sdk-agent.ts";
import {
  type Crosszone,
  type CrosszoneOptions,
  openVerification,
  startCrosszone,
} from "../../harness/start-crosszone.ts";

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
      EXECUTION_FILE: writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
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
    EXECUTION_FILE: writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
    AGENT_ORIGINS: agents.map(({ url }) => url).join(","),
    LOG_LEVEL: "debug",
  };
  const slack = await startDevSlack();
  const verification = await openVerification({
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
      startOnDatabase(database, {
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

/** An agent that plays the scenarios of `agents/scenarios.json`. */
interface PlayingAgent {
  readonly name: string;
  readonly url: string;
  /** Returns the requests to the agent, oldest first. */
  readonly journal: () => Promise<readonly JournalEntry[]>;
}

interface Case {
  readonly title: string;
  /** Writes as a person and checks the answers. Throws what is wrong. */
  readonly check: (thread: Thread, agent: PlayingAgent) => Promise<void>;
}

const soon = { timeout: 30_000, interval: 100 };
const csv = "name,age\nAda,36\n";
const ages = [{ name: "ages.csv", mimetype: "text/csv", content: csv }];
const nights = '```json\n{\n  "nights": 2,\n  "pets": false\n}\n```';
const figures = '{\n  "apples": 3,\n  "pears": 4\n}';

const sendsOf = async (agent: PlayingAgent, text: string): Promise<readonly JournalEntry[]> =>
  (await agent.journal()).filter((entry) => entry.text === text);

/** Returns a text with the members of its objects in order: the SDK 1.x for Python has them in any. */
const ordered = (text: string): string =>
  text.replaceAll(/\{\n([^{}]*)\n\}/g, (_, members: string) => `{\n${members.split(",\n").toSorted().join(",\n")}\n}`);

/** Returns an answer without the name of its agent and its reference. */
const plain = (answer: string): string => ordered(answer.replace(/^\*\*\w+\*\*\n\n|\n_Reference: .*_$/g, ""));

/** Returns a case whose whole answer is this, with these files. `#` is the agent's name. */
const reads = (title: string, words: string, ...files: readonly string[]): Case => ({
  title,
  check: async (thread, agent) => {
    const answer = await thread.say(`ask ${agent.name}: ${title}`, title === "file in" ? ages : undefined);
    expect(plain(answer)).toBe(words.replace("#", agent.name));
    await expect.poll(() => Array.from(thread.files().values(), ordered), soon).toEqual(files);
    expect(await sendsOf(agent, title)).toHaveLength(1);
  },
});

/** Returns a case whose agent asks this, and continues with the reply to this answer. */
const asks = (title: string, question: string, answer = `Booked: Oslo, ${title}.`): Case => ({
  title,
  check: async (thread, agent) => {
    const reply = `Oslo, ${title}`;
    expect(plain(await thread.say(`ask ${agent.name}: ${title}`))).toBe(question);
    expect(plain(await thread.say(reply))).toBe(answer);
    const [asked] = await sendsOf(agent, title);
    expect(await sendsOf(agent, reply)).toEqual([
      { text: reply, taskId: asked?.taskId, contextId: asked?.contextId, continued: true },
    ]);
  },
});

const failed = "The agent “#” could not finish this";
const how = "\n\n_Reply in this thread to answer._";
const signIn = "\n\n_Once that is done, I go on by myself. You can also reply in this thread._";

const cases: readonly Case[] = [
  reads("message at once", "Hello from the agent."),
  reads("3 s task", "This took three seconds."),
  {
    title: "40 s task",
    check: async (thread, agent) => {
      await reads("40 s task", "This took forty seconds.").check(thread, agent);
      expect(thread.everShown()).toContain("I read the first half.");
    },
  },
  reads("failed", `${failed}. It says:\n> The archive burned down.`),
  reads("rejected", `${failed}. It says:\n> I only answer in verse.`),
  asks("input-required", `Which city do you fly to?${how}`),
  asks("auth-required", `Sign in to the booking system first.${signIn}`),
  reads("streamed artifact", "One piece after another."),
  reads("streamed slowly", "One piece after another."),
  reads("replaced artifact", "The final text."),
  reads("two artifacts", "First artifact.\n\nSecond artifact."),
  reads("words in the status", "It is all in the status."),
  reads("completed without an answer", "The agent finished without an answer."),
  reads("failed without words", `${failed} and did not say why.`),
  reads("sign in", `Sign in at https://login.example.com/start?id=1, then reply.${signIn}`),
  {
    title: "throw",
    check: async (thread, agent) => {
      const answer = await thread.say(`ask ${agent.name}: throw`);
      expect(answer).toMatch(
        new RegExp(
          `^The agent “${agent.name}” (could not finish this and did not say why|accepted this, but its connection ended)`,
        ),
      );
      // The words of an exception are for the agent's owner, and the agent runs once.
      expect(thread.everShown()).not.toContain("KeyError");
      expect(await sendsOf(agent, "throw")).toHaveLength(1);
    },
  },
  asks(
    "book",
    `Draft: two nights.\n\n${nights}\n\nWhich city?${how}`,
    `Draft: two nights.\n\n${nights}\n\nBooked: Oslo, book.`,
  ),
  reads(
    "text, data and file out",
    `The figures are attached.\n\n\`\`\`json\n${figures}\n\`\`\``,
    figures,
    "fruit,count\napples,3\npears,4\n",
  ),
  reads("file in", `Received: ages.csv text/csv ${csv.length} ${hash("sha256", csv)}`),
  {
    title: "cancel",
    check: async (thread, agent) => {
      thread.write(`ask ${agent.name}: cancel`);
      // Before its first event, the task has no id that a stop could name. It may come late, as answers may: all cases are played at once.
      await expect.poll(() => thread.everShown(), { ...soon, timeout: 120_000 }).toContain("I am waiting.");
      thread.write("stop");
      const [asked] = await sendsOf(agent, "cancel");
      await expect.poll(() => agent.journal(), soon).toContainEqual({ taskId: asked?.taskId, canceled: true });
    },
  },
];

/** The number of cases of an agent. */
export const caseCount = cases.length;

/** Returns the first words of an error, without colors. */
const wordsOf = (error: unknown): string =>
  stripVTControlCharacters(String(error instanceof Error ? error.message : error))
    .replaceAll(/\s+/g, " ")
    .slice(0, 400);

/** Plays every case with these agents, all at once. Returns what was wrong, by the agent's name. */
export async function failuresOf(agents: readonly PlayingAgent[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { slack } = await startSdkZones(agents);
  const failures = new Map(agents.map(({ name }): [string, string[]] => [name, []]));
  await Promise.all(
    cases.flatMap(({ title, check }) =>
      agents.map(async (agent) =>
        check(openThread(slack.control, 120_000), agent).catch((error: unknown) =>
          failures.get(agent.name)?.push(`${title}: ${wordsOf(error)}`),
        ),
      ),
    ),
  );
  return failures;
}
