import type { ConformanceCheck } from "@crosszone/contracts";
import type { Exchange } from "./wire.ts";

/** The protocols that can be checked. `jsonrpc-2.0` is A2A 0.3. */
export type ConformanceProtocol = "a2a-1.0" | "jsonrpc-2.0" | "simple-a2a";

/** What to check, and its URL. */
export interface ConformanceOptions {
  /** Base URL of the agent, as it is registered. */
  readonly url: string;
  /** The protocols to check. Default: those that the agent card offers, otherwise those that the agent answers. */
  readonly protocols?: readonly ConformanceProtocol[];
  /** Sends every request. It adds credentials, and rejects addresses that may not be called. */
  readonly fetch: typeof globalThis.fetch;
  /** Questions with which the agent shows optional behavior. Checks that need a missing one are skipped. */
  readonly questions?: {
    /** A question that is answered (default "Hello"). */
    readonly answered?: string;
    /** A question whose answer takes at least two seconds. */
    readonly slow?: string;
    /** A question that the agent answers with a question of its own. */
    readonly asksBack?: string;
    /** A question that is answered with a file. */
    readonly file?: string;
    /** A question that fails. */
    readonly fails?: string;
  };
  /** Time limit of the whole run, milliseconds (default 30,000). Checks that do not finish in it are skipped. */
  readonly timeoutMs?: number;
  /** Called after each check. */
  readonly onCheck?: (check: ConformanceCheck) => void;
  readonly signal?: AbortSignal;
}

export type Level = ConformanceCheck["level"];

/** What a check says of a protocol. The members are the protocols that it is about. */
export type ByProtocol<T> = Readonly<Partial<Record<ConformanceProtocol, T>>>;

/** One rule, and how it is judged. */
export interface Check<Agent> {
  /** Stable name. */
  readonly id: string;
  /** Default: `must`, which is only for what the specification demands. */
  readonly level?: Level | ByProtocol<Level>;
  /** What a compliant agent does. */
  readonly title: string;
  readonly rule: string;
  /** Where the rule is written, for each protocol that has it. */
  readonly source: ByProtocol<string>;
  /** What to change in the agent. */
  readonly fix: string;
  /** Checks that must have passed. Otherwise this one is skipped, because it would fail for the same reason. */
  readonly needs?: readonly string[];
  /** Checks that may be skipped, but not have failed: that would be the same cause. */
  readonly explainedBy?: readonly string[];
  /** A violation counts if it is one while no other check runs, too: some agents answer one question after the other. */
  readonly alsoAlone?: true;
  /** Throws a `Violation` or a `NotJudged`; returns when the agent complies. */
  readonly judge: (agent: Agent) => Promise<void>;
}

/** The agent breaks the rule. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly exchange: Exchange | undefined;

  constructor(problem: string, exchange?: Exchange) {
    super(problem);
    this.exchange = exchange;
  }
}

/** The rule can't be judged. The message says why, and which option helps. */
export class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/** Throws a `Violation` unless the condition holds. A rate-limited response is not judged. */
export function demand(holds: boolean, problem: string, exchange?: Exchange): asserts holds {
  if (holds) return;
  if (exchange?.status === 429)
    throw new NotJudged("The agent is busy (HTTP 429): raise its rate limit for the check.");
  throw new Violation(problem, exchange);
}

/** Makes judges of one thing that the agent sent. A verdict is true, or says what is wrong. */
export type Judging<Agent, Sent> = (
  verdict: (sent: Sent, agent: Agent) => true | string,
) => (agent: Agent) => Promise<void>;

/** `get` gets what is judged, and `shown` is the exchange that the report of a violation shows. */
export const judging =
  <Agent, Sent>(get: (agent: Agent) => Promise<Sent>, shown: (sent: Sent) => Exchange): Judging<Agent, Sent> =>
  (verdict) =>
  async (agent) => {
    const sent = await get(agent);
    const problem = verdict(sent, agent);
    demand(problem === true, String(problem), shown(sent));
  };

/** Returns the level of a check for a protocol. */
export const levelOf = (
  { level = "must" }: { readonly level?: Check<never>["level"] },
  protocol: ConformanceProtocol,
): Level => (typeof level === "string" ? level : (level[protocol] ?? "should"));

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
