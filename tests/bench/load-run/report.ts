import type { Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import type { LoadOptions } from "./options.ts";
import type { LoadFigures } from "./run-load.ts";
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
  const { rate, seconds, warmUpSeconds } = options;
  const { rows, warmUp, answers, complaints } = figures;
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const parts = [
    `# Load`,
    `Printed by \`pnpm bench:load\` (\`--quick\` takes half a minute).`,
    `Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores, which the zones, the local Slack and the load share. Load average before: ${machine.loadBefore.toFixed(1)}.
${rate} requests a second for ${seconds} s after ${warmUpSeconds} s of warm-up, sent at even distances whether or not earlier ones were answered; a latency
counts from the moment at which the request was due. Both zones run as processes of their own with \`NODE_ENV=production\`, logging to files; the
token, signatures and HTTP are real. Only two limits differ from the usual ones: \`MAX_RUNNING_TASKS\`, and Slack's own rule for \`chat.update\`
(50 a minute for an app), which the local Slack does not play here.`,
    `## Result

${figures.complaints.length === 0 && isFlawless(figures) ? "Every request got what it deserved." : "**Not everything was as it should be.**"}

- requests: ${requests} measured, ${warmUp.requests} in the warm-up; not as deserved: **${undeservedOf(rows) + warmUp.undeserved}**
- mentions: ${answers.mentions}, each brought three times; answered once, and right, in their thread: **${answers.right}**; not at all: ${answers.unanswered};
  more than once: ${answers.moreThanOnce}; wrong: ${answers.wrong}
- from the mention to its answer in Slack: p50 ${ms(answers.latency.p50)} ms, p99 ${ms(answers.latency.p99)} ms, longest ${ms(answers.latency.max)} ms`,
    complaints.length === 0 ? "" : `## Complaints\n\n${complaints.map((line) => `- \`${line}\``).join("\n")}`,
    kindTable("Sent to verification", rows, "verification"),
    kindTable("Sent to execution", rows, "execution"),
    `On top of these, verification sent execution the task of each mention, and the local Slack sent verification the events of each message that it wrote.`,
    usageTable(figures),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function undeservedOf(rows: readonly TallyRow[]): number {
  return rows.reduce((sum, row) => sum + row.undeserved, 0);
}

function kindTable(title: string, rows: readonly TallyRow[], zone: TallyRow["kind"]["zone"]): string {
  const own = rows.filter(({ kind }) => kind.zone === zone);
  const share = own.reduce((sum, { kind }) => sum + kind.perMille, 0) / 10;
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
