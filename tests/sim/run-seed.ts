import { add } from "../resist/counts.ts";
import { judgeMessages, type Judged } from "../resist/judge/messages.ts";
import { judgeRun } from "../resist/judge/run.ts";
import { lookIntoStores } from "../resist/judge/stores.ts";
import type { PlannedMessage } from "../resist/plan/messages.ts";
import { createTroubles } from "./faults/troubles.ts";
import { busyThreads, disorderOf, expectationOf, latenessOf, watchAnswers, wrongOf } from "./judge-seed.ts";
import type { PlannedEvent, SeedPlan } from "./plan-seed.ts";
import type { Template } from "./template.ts";
import { seedRandom } from "./time/seeded-random.ts";
import { type Life, agenda, wait } from "./time/virtual-time.ts";
import { createWorld, type World } from "./world/create-world.ts";
import { simulatePeople } from "./world/people.ts";

/** Start time of every run. */
const beginsAt = Date.UTC(2026, 0, 5, 9);

/** Time limit for all answers after the last failure, milliseconds. */
const longestDrainMs = 300_000;

/** After all answers, some events are delivered again. Then nothing may happen for this time, milliseconds. */
const quietMs = 3_000;

const replacedAfterMs = 3_000;

/** Time in which a call of Slack that was under way can take effect, and a process see, perhaps at its second try, that its question is over. */
const underWayMs = 1_500;

interface RunOptions {
  readonly template: Template;
  readonly plan: SeedPlan;
  /** Also traces the zones' logs. */
  readonly logs?: boolean;
}

/** Runs both zones while people write and operations fail, then judges all answers. Depends on the seed only. */
export async function runSeed(seed: number, { template, plan, logs = false }: RunOptions) {
  agenda.begin(beginsAt);
  seedRandom(seed);
  const trace: string[] = [];
  const databases = template.copy(seed);
  // Its name is another one in each process.
  const note = (what: string): void =>
    void trace.push(`${agenda.now() - beginsAt} ${what.replaceAll(databases.folder, "<folder>")}`);
  const unhandled: string[] = [];
  const onRejection = (error: unknown): void => {
    if ((error as Error | undefined)?.name === "DeadProcessError") return;
    unhandled.push(`an error that nothing handled: ${error instanceof Error ? error.stack : String(error)}`);
  };
  process.on("unhandledRejection", onRejection);
  const troubles = createTroubles(seed);
  const watch = watchAnswers(databases);
  const { awayMs } = plan;
  const ofZones = { seed, troubles, note, databases, onChanged: watch.changed, logs };
  const world = createWorld({ ...ofZones, awayMs, isStrict: plan.strict !== undefined, beganAt: beginsAt });
  globalThis.fetch = world.slack.fetch;
  const people = simulatePeople(world.slack, note, (number) => plan.decideAfterMs(number, agenda.now() - beginsAt));
  const slack = { control: world.slack, workspace: world.slack.workspace };
  const judge = (): Judged[] => judgeMessages(slack, people.asked.values()).map(watch.withMissed);

  let isOver = false;
  const followed = follow(plan, { world, people, troubles, judge, hasOpen: watch.hasOpen, note }).finally(() => {
    isOver = true;
  });
  await agenda.pass(() => isOver);
  await followed;
  world.slack.close();
  const requests = watch.inputRequests();
  const judged = judge();
  watch.close();
  const stores = await lookIntoStores((zone) => databases[zone], expectationOf(judged, people.typed));
  process.off("unhandledRejection", onRejection);
  const { complaints, ends } = judgeRun({
    slack,
    planned: plan.messages.length + plan.calm.length,
    judged,
    wrong: wrongOf(judged, world.slack),
    stores,
    agents: world.requests,
    clicks: people.clicks,
    typed: people.typed,
    requests,
    seenAt: world.slack.deletionSeenAt,
    editedAt: world.slack.editSeenAt,
    underWayMs,
  });
  for (const [end, times] of ends) add(troubles.counts, `asked ${end}`, times);
  template.remove(seed);
  return {
    seed,
    /** What is wrong. Empty if the run passed. */
    complaints: [
      ...complaints,
      ...[...world.ends].flatMap(([task, by]) => (by.length > 1 ? [`task ${task} ended twice: ${by.join(", ")}`] : [])),
      ...disorderOf(judged, world.slack, watch.shown),
      ...latenessOf(judged, plan.calm, watch.shown),
      ...watch.problems,
      ...world.slack.refusedReads().map((method) => `Slack refused ${method}, which was called too often`),
      ...busyThreads(world.slack, judged).map((thread) => `${thread} still shows a status`),
      ...unhandled,
    ],
    judged,
    messages: people.asked.size,
    /** A line for each event. */
    trace,
    /** Number of failures, and of ended requests, by kind. */
    counts: troubles.counts,
    virtualMs: agenda.now() - beginsAt,
  };
}

/** Its deletion was lost too: Slack does not send only one of both again. */
const isGone = ({ delivery, later }: PlannedMessage): boolean => delivery.copies === 0 && later?.does === "deletes";

interface Undergoing {
  readonly world: World;
  readonly people: ReturnType<typeof simulatePeople>;
  readonly troubles: ReturnType<typeof createTroubles>;
  readonly judge: () => Judged[];
  readonly hasOpen: () => boolean;
  readonly note: (what: string) => void;
}

/** Performs a plan until all questions are answered and both zones have stopped. */
async function follow(plan: SeedPlan, undergoing: Undergoing): Promise<void> {
  const { world, people, troubles, judge, hasOpen, note } = undergoing;
  const { slack } = world;
  await undergo(plan, undergoing);
  note("everything is whole again");
  const { drainMs = longestDrainMs } = plan.strict ?? {};
  const limit = agenda.now() + drainMs;
  const drain = async (messages: number): Promise<void> => {
    const isDone = (): boolean =>
      people.asked.size === messages && slack.underWay() === 0 && wrongOf(judge(), slack).length === 0;
    while (!isDone() && agenda.now() < limit) await wait(plan.strict === undefined ? 500 : 10_000);
  };
  await drain(plan.messages.length);
  if (plan.calm.length > 0) {
    const lastEventAt = beginsAt + Math.max(...plan.events.map(({ at }) => at));
    while ((!isCalm(world) || agenda.now() <= lastEventAt) && agenda.now() < limit) await wait(100);
    note("people write in calm");
    troubles.spare();
    void people.writeAll(plan.calm);
    await drain(plan.messages.length + plan.calm.length);
  }
  // A message without its answer is not delivered again: the copy would get the answer.
  const wrong = new Set(wrongOf(judge(), slack).map(({ planned }) => planned));
  for (const { message, planned } of people.asked.values())
    if (planned.number % 3 === 0 && !wrong.has(planned) && !isGone(planned)) slack.bringAgain(message.ts);
  for (const { message, number } of people.typed) if (number % 3 === 0) slack.bringAgain(message.ts);
  await wait(quietMs);
  while (hasOpen() && agenda.now() < limit) await wait(500);
  await Promise.all([world.verification.stop(), world.execution.stop()]);
}

/** Returns whether both zones have a process, and all processes work. */
const isCalm = ({ verification, execution }: World): boolean =>
  [verification, execution].every(
    ({ running }) =>
      running.length > 0 &&
      running.every(({ life, stop, isStopping }) => stop && isStopping !== true && life.frozenUntil < agenda.now()),
  );

/** Starts the zones, writes the messages, and performs the planned events. Resolves when all failures are over. */
async function undergo(
  { messages, events, spanMs }: SeedPlan,
  { world, people, troubles, note }: Undergoing,
): Promise<void> {
  world.verification.start();
  world.execution.start();
  void people.writeAll(messages);
  for (const event of events) agenda.plan(event.at, () => befall(event));
  await wait(spanMs + 1_000);
  troubles.end();

  function befall(event: PlannedEvent): void {
    const fleet = world[event.zone];
    const [oldest] = fleet.running;
    note(`${event.kind} of ${oldest?.life.name ?? "nobody"}`);
    if (event.kind === "redeploy") return fleet.redeploy(event.overlapMs);
    if (oldest === undefined) return;
    const { life } = oldest;
    const strike = (): void => (event.kind === "freeze" ? freeze(life, event.forMs) : life.die());
    if (event.doom === undefined) strike();
    else troubles.doom(life, event.doom, event.kind === "freeze" ? strike : undefined);
  }

  /** A platform replaces a process that freezes this long. It wakes up next to its successor. */
  function freeze(life: Life, forMs: number): void {
    note(`${life.name} stands still for ${forMs} ms`);
    life.frozenUntil = agenda.now() + forMs;
    if (forMs > replacedAfterMs) world[life.zone].redeploy(forMs);
  }
}
