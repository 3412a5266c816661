import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Judged, Verdict } from "../resist/judge/messages.ts";
import type { Entry } from "./journal.ts";
import type { ProgramsFindings } from "./programs.ts";
import type { ChaosFindings, Progress } from "./run-chaos.ts";
import type { CycleFindings } from "./run-cycles.ts";
import { attempts } from "./system/start-system.ts";

/** Returns what is wrong. Empty if every message was answered once and no job is open. */
export function complaintsOf({ judged, unwritten, stores, requests, changes, crashes, asks }: ChaosFindings): string[] {
  const complaints = offending(judged).map(({ planned, verdict }) => `message ${planned.number} is ${verdict}`);
  if (unwritten > 0) complaints.push(`${unwritten} replies: what they reply to never reached the app`);
  if (crashes > 0) complaints.push(`${crashes} processes ended by themselves, or not in order`);
  const decided = judged.filter(({ planned: { kind } }) => kind === "asks").length;
  if (asks && asks.openAtOnce < decided) complaints.push(`only ${asks.openAtOnce} cards were open at once`);
  return [...complaints, ...(asks?.complaints ?? []), ...stores.problems, ...requests, ...changes];
}

/** Returns the messages that were not answered exactly once. */
function offending(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ verdict }) => verdict !== "answered");
}

/** Returns the findings in a few lines. */
export function summarize(findings: ChaosFindings): string {
  const { options, judged, stores, damage, streams, broken, repeated, wallMs, stretch } = findings;
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const { killed, together, redeploys, freezes, wires, slack } = damage;
  const kills = Object.entries(killed).flatMap(([victim, times]) => (times > 0 ? `${victim} ${times}` : []));
  const { inbox, tasks } = stores;
  const { asks } = findings;
  const lines = [
    `sent ${judged.length} · answered once ${count("answered")} · refused ${count("refused")} · lost ${count("lost")} · doubled ${count("doubled")} · truncated ${count("truncated")} · wrong ${count("wrong")} · stuck ${count("stuck")}`,
    `asked: ${listed(countOf(judged.map(({ planned }) => planned.kind)))}`,
    `changed: ${listed(countOf(judged.flatMap(({ planned: { later } }) => (later ? [`${later.afterMs === Infinity ? "a day later " : ""}${later.does}`] : []))))}`,
    ...(asks === undefined
      ? []
      : [
          `decisions: ${listed(asks.ends)}; ${asks.openAtOnce} cards open at once; presses ${listed(countOf(asks.clicks.map(({ state }) => state)))}; warning signs ${asks.warnings}`,
        ]),
    `killed -9: ${kills.join(", ")} (${together} times two at once) · stood still: ${freezes} · redeployed, two overlapping: ${redeploys}`,
    `network: ${listed(wires)}; ${broken} connections broken`,
    `Slack: ${listed(slack)}; events brought once more than needed ${repeated} times`,
    `streams: ${streams.started} started, ${streams.appended} times appended, ${streams.stopped} ended in order; ${streams.failed} calls failed`,
    `databases: inbox ${inbox.open} open, ${inbox.parked} parked · tasks ${tasks.open} open, ${tasks.succeeded} succeeded, ${tasks.failed} failed`,
    `${Math.round(wallMs / 1_000)} s on ${options.engine}${stretch >= 1.05 ? `, stretched ${stretch.toFixed(1)} times for a busy machine` : ""} · seed ${options.seed} · TASK_ATTEMPTS, AGENT_CALL_ATTEMPTS and INBOX_ATTEMPTS ${attempts}, as kills come close together`,
  ];
  return [...lines, ...complaintsOf(findings).slice(0, mostComplaints)].map((line) => `  ${line}\n`).join("");
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${name.replaceAll("_", " ")} ${times}`).join(", ") || "nothing";
}

/** Limits of a database file. A new one has about 4 MB with its write-ahead log; an answered message adds far less than this. */
const baseBytes = 8_000_000;
const bytesPerMessage = 20_000;

/** Returns what is wrong: answers, open jobs, and files that are corrupt or too large. */
export function cycleComplaintsOf({ judged, stores, files }: CycleFindings): string[] {
  const most = baseBytes + bytesPerMessage * judged.length;
  return [
    ...offending(judged).map(({ planned, verdict }) => `message ${planned.number} is ${verdict}`),
    ...stores.problems,
    ...files.filter(({ integrity }) => integrity !== "ok").map(({ name }) => `${name} is broken`),
    ...files.filter(({ bytes }) => bytes > most).map(({ name, bytes }) => `${name} has grown to ${bytes} bytes`),
  ];
}

/** Returns the findings in a few lines. */
export function summarizeCycles(findings: CycleFindings): string {
  const { seed, cycles, judged, files, wallMs } = findings;
  const bad = offending(judged);
  const size = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const lines = [
    `${cycles} times killed -9 on one folder · sent ${judged.length} · answered once ${judged.length - bad.length} · not so ${bad.length}`,
    files.map(({ name, bytes, integrity }) => `${name} ${size(bytes)}, integrity ${integrity}`).join(" · "),
    `${Math.round(wallMs / 1_000)} s · seed ${seed}`,
    ...cycleComplaintsOf(findings).slice(0, 20),
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}

/** Returns the findings in a few lines. */
export function summarizePrograms({ options, complaints, killed, cuts, events, wallMs }: ProgramsFindings): string {
  const { engine, tasks, subscribers, seed } = options;
  const lines = [
    `tasks ${tasks} · subscribers ${subscribers} · streams cut ${cuts} · events ${events} · killed -9: execution ${killed}`,
    `${Math.round(wallMs / 1_000)} s on ${engine} · seed ${seed} · ${complaints.length} complaints`,
    ...complaints.slice(0, 20),
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}

const mostComplaints = 20;

type Output = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean };

const plainEveryMs = 10_000;
const barWidth = 24;

export function createProgressLine(output: Output) {
  let last = -Infinity;
  const write = (plain: string, colored = plain): void => {
    if (output.isTTY) output.write(`\r\x1b[2K  ${colored}`);
    else if (performance.now() - last >= plainEveryMs) {
      last = performance.now();
      output.write(`  ${plain}\n`);
    }
  };
  return {
    show: (progress: Progress) => write(inWords(progress), `${bar(progress)} ${inWords(progress)}`),
    showCycle: (cycle: number, judged: readonly Judged[]) => {
      const answered = judged.filter(({ verdict }) => verdict === "answered").length;
      write(`cycle ${cycle}  sent ${judged.length}  answered ${answered}`);
    },
    /** Clears the changing line. */
    end: () => {
      if (output.isTTY) output.write("\r\x1b[2K");
    },
  };
}

function inWords({ atMs, phase, planned, sent, answered, damage, live }: Progress): string {
  const { verification, execution, database, broker } = damage.killed;
  const broken = sum(damage.wires);
  const alive = `up V${live.verification} E${live.execution}`;
  return `${String(Math.round(atMs / 1_000)).padStart(3)} s  ${phase.padEnd(9)}  sent ${sent}/${planned}  answered ${answered}  killed V${verification} E${execution} D${database}${broker > 0 ? ` B${broker}` : ""}  wires ${broken}  Slack ${sum(damage.slack)}  ${alive}`;
}

function bar({ planned, sent, answered }: Progress): string {
  const cells = (count: number): number => Math.round((count / planned) * barWidth);
  const waiting = Math.max(0, cells(sent) - cells(answered));
  const rest = Math.max(0, barWidth - cells(answered) - waiting);
  return `\x1b[32m${"█".repeat(cells(answered))}\x1b[33m${"▒".repeat(waiting)}\x1b[2m${"░".repeat(rest)}\x1b[0m`;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}

type Findings = Pick<ChaosFindings, "judged" | "journal" | "people">;

/** A timeline includes disturbances this long before its first and after its last line, milliseconds. */
const aroundMs = 5_000;

/** Writes a timeline for each message that was not answered once, and one of everything. Returns the folder. */
export function writeTimelines(findings: Findings | Pick<Findings, "journal">, folder: string): string {
  const { journal } = findings;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "everything.log"), journal.entries.map(lineOf).join(""));
  if (!("judged" in findings)) return folder;
  for (const one of offending(findings.judged))
    writeFileSync(join(folder, `message-${one.planned.number}-${one.verdict}.log`), tell(one, findings));
  return folder;
}

function tell(judged: Judged, { journal, people }: Findings): string {
  const { planned, message, question, verdict, answers } = judged;
  const ids = new Set<unknown>([
    ...people.events(message.ts).map(({ event_id }) => event_id),
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
