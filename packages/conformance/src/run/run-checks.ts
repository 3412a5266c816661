import type { ConformanceCheck } from "@crosszone/contracts";
import type { ConformanceProtocol } from "../conformance-options.ts";
import { type Check, levelOf, NotJudged, Violation } from "./check.ts";

export interface RunOptions<Agent> {
  readonly protocol: ConformanceProtocol;
  /** Returns the agent; `alone` one of which nothing is known yet. */
  readonly agent: (alone: boolean) => Promise<Agent>;
  readonly slots: Slots;
  /** Ends the run: what has not finished is skipped. */
  readonly signal: AbortSignal;
  readonly onCheck: (check: ConformanceCheck) => void;
}

/** Runs the checks of a protocol, each after those that it needs. Resolves as soon as the signal ends the run. */
export async function runChecks<Agent>(
  checks: readonly Check<Agent>[],
  options: RunOptions<Agent>,
): Promise<ConformanceCheck[]> {
  const { protocol, signal, onCheck } = options;
  const results = new Map<string, Promise<ConformanceCheck>>();
  const resultsOf = (ids: readonly string[] = []): Promise<ConformanceCheck[]> =>
    Promise.all(ids.flatMap((id) => results.get(id) ?? []));
  const run = async (check: Check<Agent>): Promise<ConformanceCheck> => {
    const { id, title, rule, source } = check;
    const before = [resultsOf(check.explainedBy), resultsOf(check.needs)] as const;
    const outcome = await Promise.race([stopped(signal), outcomeOf(check, before, options)]);
    const facts = { id, protocol, title, level: levelOf(check, protocol), rule, source: source[protocol] ?? "" };
    const result = { ...facts, ...outcome };
    onCheck(result);
    return result;
  };
  for (const check of checks) if (check.source[protocol] !== undefined) results.set(check.id, run(check));
  return Promise.all(results.values());
}

type Outcome = Partial<ConformanceCheck> & { readonly status: ConformanceCheck["status"] };

/** Why a check was skipped that the end of the run cut off. */
export const outOfTime = "Not finished within the time limit of the run. Raise it, or find out why the agent is slow.";

async function stopped(signal: AbortSignal): Promise<Outcome> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return { status: "skipped", problem: outOfTime };
}

async function outcomeOf<Agent>(
  { judge, fix, alsoAlone }: Check<Agent>,
  before: readonly [explaining: Promise<ConformanceCheck[]>, needed: Promise<ConformanceCheck[]>],
  { agent, slots }: RunOptions<Agent>,
): Promise<Outcome> {
  const [explaining, needed] = await Promise.all(before);
  const explained = explaining.find(({ status }) => status === "failed");
  const missing = needed.find(({ status }) => status !== "passed") ?? explained;
  if (missing) return { status: "skipped", problem: becauseOf(missing) };
  const judged = (alone: boolean): Promise<void> => slots.use(async () => judge(await agent(alone)), alone);
  try {
    await judged(false).catch((error: unknown) => {
      if (!alsoAlone || !(error instanceof Violation)) throw error;
      return judged(true);
    });
    return { status: "passed" };
  } catch (error) {
    if (error instanceof NotJudged) return { status: "skipped", problem: error.message };
    if (!(error instanceof Violation)) return { status: "skipped", problem: `Not judged: ${String(error)}` };
    const { sent, received } = error.exchange ?? {};
    return { status: "failed", problem: error.message, fix, sent, received };
  }
}

/** The first cause: a skipped check is skipped for the reason of the one that it needs. */
function becauseOf({ id, status, problem = "" }: ConformanceCheck): string {
  return status === "failed" ? `Not checked, because ${id} failed.` : problem;
}

/** Checks that run at once. */
const slotCount = 6;

/** Lets a few run at once, the others wait in order. */
export class Slots {
  #free = slotCount;
  readonly #waiting: { readonly count: number; readonly start: () => void }[] = [];

  async use<T>(work: () => Promise<T>, alone: boolean): Promise<T> {
    const count = alone ? slotCount : 1;
    await new Promise<void>((start) => {
      this.#waiting.push({ count, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (let [next] = this.#waiting; next && next.count <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.start();
    }
  }
}
