import type { ConformanceCheck } from "@crosszone/contracts";
import type { ConformanceProtocol } from "../conformance-options.ts";
import { type Check, levelOf, NotJudged, Violation } from "./check.ts";

export interface RunOptions<Agent> {
  readonly protocol: ConformanceProtocol;
  readonly agent: Agent;
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
  const results = new Map<string, Promise<ConformanceCheck>>();
  const mine = checks.filter(({ source }) => source[options.protocol] !== undefined);
  for (const check of mine) {
    const before = resultsOf(check, results);
    results.set(check.id, runCheck(check, before, options));
  }
  return Promise.all(results.values());
}

interface Before {
  readonly needed: readonly Promise<ConformanceCheck>[];
  readonly explaining: readonly Promise<ConformanceCheck>[];
}

function resultsOf<Agent>(
  { needs = [], explainedBy = [] }: Check<Agent>,
  results: ReadonlyMap<string, Promise<ConformanceCheck>>,
): Before {
  const of = (ids: readonly string[]): Promise<ConformanceCheck>[] =>
    ids.map((id) => results.get(id)).filter((result) => result !== undefined);
  return { needed: of(needs), explaining: of(explainedBy) };
}

async function runCheck<Agent>(
  check: Check<Agent>,
  before: Before,
  options: RunOptions<Agent>,
): Promise<ConformanceCheck> {
  const { protocol, signal, onCheck } = options;
  const { id, title, rule } = check;
  const facts = { id, protocol, title, level: levelOf(check, protocol), rule, source: check.source[protocol] ?? "" };
  const outcome = await Promise.race([stopped(signal), outcomeOf(check, before, options)]);
  const result = { ...facts, ...outcome };
  onCheck(result);
  return result;
}

type Outcome = Pick<ConformanceCheck, "status" | "problem" | "fix" | "sent" | "received">;

/** Why a check was skipped that the end of the run cut off. */
export const outOfTime = "Not finished within the time limit of the run. Raise it, or find out why the agent is slow.";

async function stopped(signal: AbortSignal): Promise<Outcome> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return { status: "skipped", problem: outOfTime };
}

async function outcomeOf<Agent>(
  { judge, fix }: Check<Agent>,
  { needed, explaining }: Before,
  { agent, slots }: RunOptions<Agent>,
): Promise<Outcome> {
  const explained = (await Promise.all(explaining)).find(({ status }) => status === "failed");
  const missing = (await Promise.all(needed)).find(({ status }) => status !== "passed") ?? explained;
  if (missing) return { status: "skipped", problem: becauseOf(missing) };
  try {
    await slots.use(() => judge(agent));
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

/** Lets a few run at once, the others wait in order. */
export interface Slots {
  readonly use: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    use: async (work) => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
