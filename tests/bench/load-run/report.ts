import type { Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import type { LoadOptions } from "./options.ts";
import type { LoadFigures } from "./run-load.ts";
import { mentionsPerChannel } from "./mentions.ts";
import type { TallyRow } from "./tally.ts";

/** Everything a run has to say. */
export interface LoadFindings {
  machine: Machine;
  options: LoadOptions;
  figures: LoadFigures;
}

/** Whether every answer was deserved, every mention was answered once, and no zone complained. */
export function isFlawless({ rows, warmUp, answers, complaints }: LoadFigures): boolean {
  return undeservedOf(rows) + warmUp.undeserved === 0 && answers.right === answers.mentions && complaints.length === 0;
}

/** Writes the findings as Markdown: the page `docs/load.md`. */
export function renderLoadReport({ machine, options, figures }: LoadFindings): string {
  const { rate, mentions, seconds, warmUpSeconds } = options;
  const { rows, warmUp, answers, complaints } = figures;
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const parts = [
    `# Load`,
    `Printed by \`pnpm bench:load\` (\`--quick\` takes half a minute).`,
    `Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores, shared by the zones, the local Slack and the load. Load average before: ${machine.loadBefore.toFixed(1)}.
${rate} requests a second for ${seconds} s, after ${warmUpSeconds} s of warm-up, sent at even distances whether or not earlier ones were answered. A latency
counts from the moment at which the request was due. Every answer is looked at.

Both zones are processes of their own, started as in production and logging to files; HTTP, signatures and tokens are real. Limits
that would refuse so much traffic from one sender are raised, and the local Slack does not play Slack's rule for \`chat.update\` (50 a
minute for an app); it does play the one for messages in a channel, so the mentions are spread over ${Math.ceil(answers.mentions / mentionsPerChannel)} channels.

${mentions} of the ${rate} are new mentions, and go the whole way: event, task in execution, a message in the thread that becomes the answer. What that
takes comes on top of the ${rate}: the task's request, four calls to Slack, and the two events by which Slack tells of the bot's own message.`,
    `## Result

${isFlawless(figures) ? "Every request got what it deserved." : "**Not everything was as it should be.**"}

- requests: ${requests} measured, ${warmUp.requests} in the warm-up; not as deserved: **${undeservedOf(rows) + warmUp.undeserved}**
- mentions: ${answers.mentions}, each brought three times; answered once, and right, in their thread: **${answers.right}**; not at all: ${answers.unanswered};
  more than once: ${answers.moreThanOnce}; wrong: ${answers.wrong}
- from the mention to its answer in Slack: p50 ${ms(answers.latency.p50)} ms, p99 ${ms(answers.latency.p99)} ms, longest ${ms(answers.latency.max)} ms`,
    complaints.length === 0 ? "" : `## Complaints\n\n${["```", ...complaints, "```"].join("\n")}`,
    kindTable("Sent to verification", rows, "verification"),
    kindTable("Sent to execution", rows, "execution"),
    usageTable(figures),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function undeservedOf(rows: readonly TallyRow[]): number {
  return rows.reduce((sum, row) => sum + row.undeserved, 0);
}

function kindTable(title: string, rows: readonly TallyRow[], zone: TallyRow["kind"]["zone"]): string {
  const own = rows.filter(({ kind }) => kind.zone === zone);
  if (own.length === 0) return "";
  const shareOf = (of: readonly TallyRow[]): number => of.reduce((sum, { kind }) => sum + kind.perMille, 0);
  const share = (100 * shareOf(own)) / shareOf(rows);
  const table = markdownTable(
    ["request", "deserves", "sent", "not so", "p50 ms", "p99 ms", "max ms"],
    own.map(({ kind, requests, undeserved, p50, p99, max }) => [
      kind.name,
      kind.deserves,
      String(requests),
      String(undeserved),
      ms(p50),
      ms(p99),
      ms(max),
    ]),
  );
  return `## ${title}, ${share} % of all\n\n${table}`;
}

function usageTable({ readings, measuredSeconds }: LoadFigures): string {
  const [, before, after] = readings;
  const names = [...(readings[0]?.reading.keys() ?? [])];
  const table = markdownTable(
    ["process", ...readings.map(({ name }) => `RSS / heap MB ${name}`), "CPU under load"],
    names.map((name) => {
      const cpu = (after?.reading.get(name)?.cpu ?? 0) - (before?.reading.get(name)?.cpu ?? 0);
      const memory = readings.map(({ reading }) => {
        const { rss = 0, heap = 0 } = reading.get(name) ?? {};
        return `${megabytes(rss)} / ${megabytes(heap)}`;
      });
      return [name, ...memory, `${((cpu / measuredSeconds) * 100).toFixed(0)} % of a core`];
    }),
  );
  return `## Processes\n\n${table}`;
}

function ms(value: number): string {
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
