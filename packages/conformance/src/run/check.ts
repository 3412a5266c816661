import type { ConformanceCheck } from "@crosszone/contracts";
import type { ConformanceProtocol } from "../conformance-options.ts";
import type { Exchange } from "../wire/exchange.ts";

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
