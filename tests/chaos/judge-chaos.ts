import { type Counts, countsOf, listed } from "../resist/counts.ts";
import { asTasks } from "../resist/judge/asks.ts";
import { judgeMessages, type Judged } from "../resist/judge/messages.ts";
import { judgeRun } from "../resist/judge/run.ts";
import { judgeStores } from "../resist/judge/stores.ts";
import type { PlannedMessage } from "../resist/plan/messages.ts";
import type { Journal } from "./journal.ts";
import type { Plan, PlanOptions } from "./plan.ts";
import type { Deciders } from "./presses.ts";
import type { Findings } from "./report.ts";
import { measureFiles } from "./system/engine.ts";
import { attempts, type ChaosSystem } from "./system/start-system.ts";
import type { People } from "./watch-slack.ts";

/** A run that is going on. */
export interface Run {
  readonly options: PlanOptions;
  readonly system: ChaosSystem;
  readonly plan: Plan & { readonly stretch: number };
  readonly journal: Journal;
  readonly people: People;
  /** What was broken. */
  readonly damage: Counts;
  readonly streams: Counts;
  readonly isOver: () => boolean;
  readonly deciders: Deciders;
}

export const judgedOf = ({ system, people }: Run): Judged[] => judgeMessages(system.slack, people.asked.values());

/** Time in which a call of Slack that was under way can take effect, milliseconds. Faults delay it. */
const underWayMs = 6_000;

/** Judges what the run left behind, and stops the zones: after cycles with SIGKILL. */
export async function judge(run: Run, openAtOnce: number): Promise<Findings> {
  const { options, system, plan, journal, people, damage, streams, isOver, deciders } = run;
  const { slack, engine, verification, execution, wires } = system;
  const deleted = plan.messages.filter(({ later }) => later?.does === "deletes").length;
  const calls = plan.messages.filter(({ kind }) => kind === "calls").length;
  const below = asTasks(deciders.typed);
  const counted = { messages: people.asked.size + below, refused: deleted + below };
  const expected = { ...counted, failing: options.approvals ?? deleted };
  const stores = await judgeStores(engine, { ...expected, isOver });
  const requests = options.approvals === undefined && calls === 0 ? [] : await system.inputRequests();
  const [judged, { clicks, typed }] = [judgedOf(run), deciders];
  const about = { slack, planned: plan.messages.length, judged, stores, agents: system.requests, requests };
  const seen = { clicks, typed, seenAt: people.deletionSeenAt, editedAt: people.editSeenAt, underWayMs };
  const { complaints, ends } = judgeRun({ ...about, ...seen });
  const killed = (damage.get("verification killed") ?? 0) + (damage.get("execution killed") ?? 0);
  if (calls > 0 && killed !== options.kills) complaints.push(`${killed} processes were killed, not ${options.kills}`);
  const toDecide = plan.messages.filter(({ kind }) => kind === "asks").length;
  if (openAtOnce < toDecide) complaints.push(`only ${openAtOnce} cards were open at once`);
  const signal = plan.cycles === undefined ? "SIGTERM" : "SIGKILL";
  complaints.push(...(await Promise.all([verification.stop(signal), execution.stop(signal)])).flat());
  complaints.push(...verification.crashed, ...execution.crashed);
  const files = measureFiles(engine, judged.length);
  complaints.push(...files.complaints);
  const broken = wires.front.broken + wires.link.broken + (wires.database?.broken ?? 0);
  const { inbox, tasks } = stores;
  const [presses, warnings] = [countsOf(clicks.map(({ state }) => state)), slack.control.warnings().length];
  const stretched = plan.stretch >= 1.05 ? `, stretched ${plan.stretch.toFixed(1)} times for a busy machine` : "";
  const decided = `decisions: ${listed(ends)}; ${openAtOnce} cards open at once; presses: ${listed(presses)}; typed ${typed.length}; warning signs ${warnings}`;
  const lines = [
    `sent ${judged.length} · ${listed(countsOf(judged.map(({ verdict }) => verdict)))}`,
    `asked: ${listed(countsOf(judged.flatMap(({ planned }) => [planned.kind, ...changeOf(planned)])))}`,
    ...(ends.size > 0 ? [decided] : []),
    `broken: ${listed(damage)}; ${broken} connections · events brought once more than needed ${people.repeated()} times`,
    `streams: ${listed(streams)}`,
    `databases: inbox ${inbox.open} open, ${inbox.parked} parked · tasks ${tasks.open} open, ${tasks.succeeded} succeeded, ${tasks.failed} failed`,
    ...files.lines,
    `${Math.round(journal.now() / 1_000)} s on ${options.engine}${stretched} · seed ${options.seed} · TASK_ATTEMPTS, AGENT_CALL_ATTEMPTS and INBOX_ATTEMPTS ${attempts}, as kills come close together`,
  ];
  return { complaints, lines, journal, judged, people };
}

const changeOf = ({ later }: PlannedMessage): string[] =>
  later === undefined ? [] : [`${later.does} ${later.afterMs === Infinity ? "a day later" : "soon"}`];
