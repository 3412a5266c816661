import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Judged } from "../resist/judge/messages.ts";
import { notAnswered } from "../resist/judge/run.ts";
import type { Entry, Journal } from "./journal.ts";
import type { People } from "./watch-slack.ts";

/** What a run found. */
export interface Findings {
  /** What is wrong. Empty if the run passed. */
  readonly complaints: readonly string[];
  /** What happened, in a few lines. */
  readonly lines: readonly string[];
  readonly journal: Journal;
  /** Absent if no people wrote. */
  readonly judged?: readonly Judged[];
  readonly people?: People;
}

/** A timeline includes disturbances this long before its first and after its last line, milliseconds. */
const aroundMs = 5_000;

/** Writes a timeline of everything, and one for each message that was not answered once. Returns the folder. */
export function writeTimelines(
  { journal, judged = [], people }: Findings,
  folder = mkdtempSync(join(tmpdir(), "crosszone-chaos-")),
): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "everything.log"), journal.entries.map(lineOf).join(""));
  for (const one of notAnswered(judged))
    writeFileSync(join(folder, `message-${one.planned.number}-${one.verdict}.log`), tell(one, journal, people));
  return folder;
}

function tell(judged: Judged, journal: Journal, people: People | undefined): string {
  const { planned, message, question, verdict, answers } = judged;
  const ids = new Set<unknown>([
    ...(people?.events(message.ts) ?? []).map(({ event_id }) => event_id),
    ...answers.map(({ requestId }) => requestId),
    ...answers.flatMap(({ messages }) => messages.map(({ metadata }) => metadata?.event_payload["correlation_id"])),
  ]);
  const isOwn = ({ what, fields = {} }: Entry): boolean =>
    what.includes(message.ts) ||
    [fields["correlation_id"], fields["request_id"], fields["event_id"], fields["task_id"]].some(
      (id) => id !== undefined && ids.has(id),
    );
  // The line that accepts an event has the ids of its question, whose lines have the task's id.
  for (let pass = 0; pass < 2; pass++)
    for (const { fields = {} } of journal.entries.filter(isOwn))
      for (const name of ["correlation_id", "request_id", "task_id"])
        if (fields[name] !== undefined) ids.add(fields[name]);
  const own = new Set(journal.entries.filter(isOwn));
  const times = [...own].map(({ at }) => at);
  const [from, to] = [Math.min(...times) - aroundMs, Math.max(...times) + aroundMs];
  const around = journal.entries.filter(
    (entry) => own.has(entry) || (entry.at >= from && entry.at <= to && isBreakage(entry)),
  );
  return [
    `message ${planned.number}, ${planned.kind}: ${verdict}\n`,
    `asked in ${message.channel} at ${message.ts}${planned.follows === undefined ? "" : `, in the thread of message ${planned.follows}`}: ${question.text}\n`,
    ...answers.map(
      ({ messages, files }) => `the app said: ${JSON.stringify([...messages, ...files]).slice(0, 4_000)}\n`,
    ),
    answers.length === 0 ? "the app said nothing\n" : "",
    `its own lines begin with >, the others are what broke at the time\n\n`,
    ...around.map((entry) => `${own.has(entry) ? ">" : " "} ${lineOf(entry)}`),
  ].join("");
}

function isBreakage({ by, what }: Entry): boolean {
  return by === "chaos" || by === "database" || /^(started|ended|listening|stderr)/.test(what);
}

function lineOf({ at, by, what, fields }: Entry): string {
  return `${(at / 1_000).toFixed(3).padStart(8)} ${by.padEnd(16)} ${what} ${fields === undefined ? "" : JSON.stringify(fields)}\n`;
}
