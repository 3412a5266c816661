import { hash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { JournalEntry } from "./agents/play-scenario.ts";
import { type SdkAgent, sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { openThread, startSdkZones, type Thread } from "./start-sdk-zones.ts";

const only = process.env["INTEROP_ONLY"]?.split(",");

/** Returns the first lines of an error, without colors. */
const wordsOf = (error: unknown): string =>
  stripVTControlCharacters(String(error instanceof Error ? error.message : error))
    .replaceAll(/\s+/g, " ")
    .slice(0, 400);

test(
  "I1, I2, I4, I5: people read the answers of agents on the official SDKs, in every case",
  { timeout: 240_000 },
  async () => {
    const agents = await Promise.all(
      sdks.filter(({ name }) => only?.includes(name) ?? true).map((sdk) => startSdkAgent(sdk)),
    );
    const { slack } = await startSdkZones(agents);
    const results = await Promise.all(
      agents.flatMap((agent) =>
        cells.map(async (cell): Promise<CellResult> => {
          const result = { sdk: agent.title, cell: cell.title };
          return cell.check(openThread(slack.control, 120_000), agent).then(
            () => result,
            (error: unknown) => ({ ...result, wrong: wordsOf(error) }),
          );
        }),
      ),
    );
    console.log(matrixTable(results));
    expect(results.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    expect(results).toHaveLength(agents.length * cells.length);
  },
);

interface Cell {
  readonly title: string;
  /** Writes as a person and checks the answers. Throws what is wrong. */
  readonly check: (thread: Thread, agent: SdkAgent) => Promise<void>;
}

const soon = { timeout: 30_000, interval: 100 };
const progress = /I am on it|I have begun|I read the|I am writing|I am counting/;
const csv = "name,age\nAda,36\n";

/** Returns a cell that asks for a scenario. It expects these words in the answer, and no progress texts. */
const reads = (title: string, words: string): Cell => ({
  title,
  check: async (thread, agent) => {
    const answer = await thread.say(`ask ${agent.name}: ${title}`);
    expect(answer).toContain(words);
    expect(answer).not.toMatch(progress);
    expect(await sendsOf(agent, title)).toHaveLength(1);
  },
});

const sendsOf = async (agent: SdkAgent, text: string): Promise<readonly JournalEntry[]> =>
  (await agent.journal()).filter((entry) => entry.text === text);

async function asksAndContinues(
  thread: Thread,
  agent: SdkAgent,
  { scenario, question, reply }: Dialogue,
): Promise<void> {
  expect(await thread.say(`ask ${agent.name}: ${scenario}`)).toContain(question);
  expect(await thread.say(reply)).toContain(`Booked: ${reply}.`);
  const [asked] = await sendsOf(agent, scenario);
  expect(await sendsOf(agent, reply)).toEqual([
    { text: reply, taskId: asked?.taskId, contextId: asked?.contextId, continued: true },
  ]);
}

interface Dialogue {
  readonly scenario: string;
  readonly question: string;
  readonly reply: string;
}

export const cells: readonly Cell[] = [
  reads("message at once", "Hello from the agent."),
  reads("3 s task", "This took three seconds."),
  {
    title: "40 s task",
    check: async (thread, agent) => {
      await reads("40 s task", "This took forty seconds.").check(thread, agent);
      expect(thread.everShown()).toContain("I read the first half.");
    },
  },
  reads("failed", "The archive burned down."),
  reads("rejected", "I only answer in verse."),
  {
    title: "input-required",
    check: (thread, agent) =>
      asksAndContinues(thread, agent, {
        scenario: "input-required",
        question: "Which city do you fly to?",
        reply: "Oslo",
      }),
  },
  {
    title: "auth-required",
    check: (thread, agent) =>
      asksAndContinues(thread, agent, {
        scenario: "auth-required",
        question: "Sign in to the booking system first.",
        reply: "signed in",
      }),
  },
  reads("streamed artifact", "One piece after another."),
  {
    title: "text, data and file out",
    check: async (thread, agent) => {
      await reads("text, data and file out", "The figures are attached.").check(thread, agent);
      await expect.poll(() => thread.files().get("fruit.csv"), soon).toBe("fruit,count\napples,3\npears,4\n");
      const data = (): unknown => {
        const [, text] = [...thread.files()].find(([name]) => name !== "fruit.csv") ?? [];
        return text === undefined ? undefined : JSON.parse(text);
      };
      await expect.poll(data, soon).toEqual({ apples: 3, pears: 4 });
    },
  },
  {
    title: "file in",
    check: async (thread, agent) => {
      const answer = await thread.say(`ask ${agent.name}: file in`, [
        { name: "ages.csv", mimetype: "text/csv", content: csv },
      ]);
      expect(answer).toContain(`ages.csv text/csv ${csv.length} ${hash("sha256", csv)}`);
    },
  },
  {
    title: "cancel",
    check: async (thread, agent) => {
      thread.write(`ask ${agent.name}: cancel`);
      await expect.poll(() => sendsOf(agent, "cancel"), soon).toHaveLength(1);
      thread.write("stop");
      const [asked] = await sendsOf(agent, "cancel");
      const canceled = { taskId: asked?.taskId, canceled: true };
      await expect.poll(() => agent.journal(), soon).toContainEqual(canceled);
    },
  },
];

/** The result of one agent in one case. */
interface CellResult {
  readonly sdk: string;
  readonly cell: string;
  /** What was wrong. Undefined if the cell passed. */
  readonly wrong?: string;
}

/** Returns the results as a Markdown table with a row per case and a column per SDK. Errors are listed below it. */
function matrixTable(results: readonly CellResult[]): string {
  const columns = [...new Set(results.map(({ sdk }) => sdk))];
  const rows = [...new Set(results.map(({ cell }) => cell))];
  const mark = (cell: string, sdk: string): string =>
    results.find((one) => one.cell === cell && one.sdk === sdk)?.wrong === undefined ? "✓" : "✗";
  const line = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  const failed = results.filter(({ wrong }) => wrong !== undefined);
  return [
    line(["case", ...columns]),
    line(["---", ...columns.map(() => "---")]),
    ...rows.map((cell) => line([cell, ...columns.map((sdk) => mark(cell, sdk))])),
    "",
    `${results.length - failed.length} of ${results.length} passed.`,
    ...failed.map(({ sdk, cell, wrong }) => `- ${sdk}, ${cell}: ${wrong}`),
  ].join("\n");
}
