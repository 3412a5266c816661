import type { Machine } from "../kit/machine.ts";
import { fixed, megabytes, page, section, tableSection } from "../kit/markdown.ts";
import { sum } from "../kit/statistics.ts";
import type { Usage } from "../kit/usage.ts";
import { mentionsPerChannel } from "./kinds.ts";
import type { LoadOptions } from "./options.ts";
import type { LoadFigures } from "./run-load.ts";
import type { TallyRow } from "./tally.ts";

export interface LoadFindings {
  readonly machine: Machine;
  readonly options: LoadOptions;
  readonly figures: LoadFigures;
}

/** Whether every answer was deserved, every mention was answered once, and no zone complained. */
export function isFlawless({ rows, warmUp, answers, complaints }: LoadFigures): boolean {
  return undeservedOf(rows) + warmUp.undeserved === 0 && answers.right === answers.mentions && complaints.length === 0;
}

/** Writes the findings as Markdown: the page `docs/load.md`. */
export function renderLoadReport({ machine, options, figures }: LoadFindings): string {
  const { rate, mentions, seconds, warmUpSeconds } = options;
  const { rows, warmUp, answers, complaints } = figures;
  const requests = sum(rows.map((row) => row.requests));
  return page([
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
    complaints.length === 0 ? "" : section("Complaints", ["```", ...complaints, "```"].join("\n")),
    kindSection("Sent to verification", rows, "verification"),
    kindSection("Sent to execution", rows, "execution"),
    usageSection(figures),
  ]);
}

const undeservedOf = (rows: readonly TallyRow[]): number => sum(rows.map(({ undeserved }) => undeserved));

function kindSection(title: string, all: readonly TallyRow[], zone: TallyRow["kind"]["zone"]): string {
  const rows = all.filter(({ kind }) => kind.zone === zone);
  const shareOf = (of: readonly TallyRow[]): number => sum(of.map(({ kind }) => kind.perMille));
  return tableSection({
    title: `${title}, ${(100 * shareOf(rows)) / shareOf(all)} % of all`,
    rows,
    columns: [
      ["request", ({ kind }) => kind.name],
      ["deserves", ({ kind }) => kind.deserves],
      ["sent", ({ requests }) => String(requests)],
      ["not so", ({ undeserved }) => String(undeserved)],
      ["p50 ms", ({ p50 }) => ms(p50)],
      ["p99 ms", ({ p99 }) => ms(p99)],
      ["max ms", ({ max }) => ms(max)],
    ],
  });
}

function usageSection({ readings, measuredSeconds }: LoadFigures): string {
  const nothing: Usage = { rss: 0, heap: 0, cpu: 0 };
  const usage = (at: number, name: string): Usage => readings[at]?.reading.get(name) ?? nothing;
  return tableSection({
    title: "Processes",
    rows: [...(readings[0]?.reading.keys() ?? [])],
    columns: [
      ["process", (name) => name],
      ...readings.map((reading, at) => {
        const memory = (name: string): string =>
          `${megabytes(usage(at, name).rss)} / ${megabytes(usage(at, name).heap)}`;
        return [`RSS / heap MB ${reading.name}`, memory] as const;
      }),
      [
        "CPU under load",
        (name) => `${fixed(((usage(2, name).cpu - usage(1, name).cpu) / measuredSeconds) * 100, 0)} % of a core`,
      ],
    ],
  });
}

const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
