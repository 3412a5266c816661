import { setTimeout as wait } from "node:timers/promises";
import { type Journal, openJournal } from "../journal.ts";
import { type Judged, judgeMessages } from "../judge/judge-messages.ts";
import { judgeStores, type StoreFigures } from "../judge/judge-stores.ts";
import { type PlanOptions, planRun, stretchPlan } from "../plan/plan.ts";
import { type ChaosSystem, startSystem } from "../system/start-system.ts";
import { type Damage, disturb, noDamage } from "./disturb.ts";
import { invitePeople, type People } from "./people.ts";
import { countStreams, type StreamCounts, watchSilence } from "./watch-slack.ts";

export interface ChaosOptions extends PlanOptions {
  /** No run takes longer, milliseconds; where the plan is stretched, by as much longer. */
  readonly limitMs: number;
  /** Told a few times a second how things stand. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly atMs: number;
  readonly phase: "chaos" | "drain" | "once more";
  readonly planned: number;
  readonly sent: number;
  readonly answered: number;
  readonly damage: Damage;
  /** How many processes of each zone live. */
  readonly live: { readonly verification: number; readonly execution: number };
}

/** What a run found. */
export interface ChaosFindings {
  readonly options: PlanOptions;
  readonly judged: readonly Judged[];
  /** Planned, and never written, for what they reply to never reached the app. */
  readonly unwritten: number;
  readonly stores: StoreFigures;
  readonly damage: Damage;
  readonly streams: StreamCounts;
  /** Connections that were broken on purpose. */
  readonly broken: number;
  /** Deliveries of events beside the one that each needs. */
  readonly repeated: number;
  /** Processes that ended by themselves after they had listened, and that did not end in order in the end. */
  readonly crashes: number;
  readonly wallMs: number;
  /** By how much the plan's times were stretched on this machine. */
  readonly stretch: number;
  readonly journal: Journal;
  readonly people: People;
}

/** After everything is answered, a part of the events comes once more, and then nothing may happen for so long. */
const quietMs = 4_000;

/** One run: people write, everything breaks, everything is whole again; then all that was said is judged. */
export async function runChaos({ limitMs, onProgress, ...options }: ChaosOptions): Promise<ChaosFindings> {
  const journal = openJournal();
  const system = await startSystem(options.engine, journal);
  const plan = stretchPlan(planRun(options), system.startedInMs);
  journal.begin();
  const people = invitePeople(system.slack, journal);
  const damage = noDamage();
  const streams = countStreams(system.slack);
  const judge = (): Judged[] => judgeMessages(system.slack, people.asked.values());
  let phase: Progress["phase"] = "chaos";
  const telling = setInterval(() => {
    const answered = judge().filter(({ verdict }) => verdict === "answered").length;
    const live = { verification: system.verification.live, execution: system.execution.live };
    const { messages } = plan;
    onProgress?.({
      atMs: journal.now(),
      phase,
      planned: messages.length,
      sent: people.asked.size,
      answered,
      damage,
      live,
    });
  }, 500);
  const silence = watchSilence(system.slack, journal);
  const isOver = (): boolean => journal.now() > limitMs * plan.stretch || silence.isLong();
  try {
    const writing = people.writeAll(plan.messages);
    await disturb(system, plan.disturbances, { journal, damage });
    phase = "drain";
    journal.note("chaos", "everything is whole again");
    silence.begin();
    await Promise.race([writing, until(isOver)]);
    await until(() => isOver() || judge().every(({ verdict }) => verdict === "answered"));
    phase = "once more";
    journal.note("chaos", "the events of every fifth message come once more");
    for (const { message, planned } of people.asked.values()) if (planned.number % 5 === 0) people.bringAgain(message);
    await wait(quietMs);
    await Promise.race([system.slack.control.idle(), until(isOver)]);
    const stores = await judgeStores(system.engine, { messages: people.asked.size, isOver });
    const judged = judge();
    const codes = await stopZones(system);
    return {
      options,
      judged,
      unwritten: plan.messages.length - people.asked.size,
      stores,
      damage,
      streams,
      broken: brokenOn(system),
      repeated: people.repeated(),
      crashes: system.verification.crashes + system.execution.crashes + codes.filter((code) => code !== 0).length,
      wallMs: journal.now(),
      stretch: plan.stretch,
      journal,
      people,
    };
  } finally {
    clearInterval(telling);
    await system.stop();
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(250);
}

async function stopZones({ verification, execution }: ChaosSystem): Promise<(number | NodeJS.Signals)[]> {
  return (await Promise.all([verification.stop(), execution.stop()])).flat();
}

function brokenOn({ wires, engine }: ChaosSystem): number {
  return wires.front.broken + wires.link.broken + (engine.server?.wire.broken ?? 0);
}
