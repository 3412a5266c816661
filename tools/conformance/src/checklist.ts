import type { A2AAgent } from "./a2a/a2a-agent.ts";
import { type Check, type ConformanceProtocol, type Level, levelOf } from "./check.ts";
import { answerChecks } from "./checks/answers.ts";
import { artifactChecks } from "./checks/artifacts.ts";
import { cardChecks, versionChecks, versionSpoken } from "./checks/card.ts";
import { envelopeChecks, requestChecks } from "./checks/envelope.ts";
import { executionChecks, subscriptionChecks } from "./checks/execution.ts";
import { conversationChecks } from "./checks/conversations.ts";
import { questionChecks } from "./checks/questions.ts";
import { type SimpleAgent, simpleChecks, simpleLimitChecks } from "./checks/simple.ts";
import { streamOrderChecks } from "./checks/stream-order.ts";
import { streamChecks } from "./checks/streams.ts";
import { listChecks, taskChecks } from "./checks/tasks.ts";

/** The checks of both versions of A2A. A check comes after those that it needs. */
export const a2aChecks: readonly Check<A2AAgent>[] = [
  ...envelopeChecks,
  ...cardChecks,
  versionSpoken,
  ...answerChecks,
  ...artifactChecks,
  ...taskChecks,
  ...requestChecks,
  ...conversationChecks,
  ...executionChecks,
  ...listChecks,
  ...streamChecks,
  ...streamOrderChecks,
  ...subscriptionChecks,
  ...questionChecks,
  ...versionChecks,
];

export const allSimpleChecks: readonly Check<SimpleAgent>[] = [...simpleChecks, ...simpleLimitChecks];

/** One check, as the documentation shows it. */
export interface ChecklistItem {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  readonly fix: string;
  /** The protocols that have the rule, each with its level and its source. */
  readonly protocols: readonly {
    readonly protocol: ConformanceProtocol;
    readonly level: Level;
    readonly source: string;
  }[];
}

const protocols: readonly ConformanceProtocol[] = ["a2a-1.0", "jsonrpc-2.0", "simple-a2a"];

const itemOf = ({ id, title, rule, fix, ...check }: Check<never>): ChecklistItem => ({
  id,
  title,
  rule,
  fix,
  protocols: protocols.flatMap((protocol) => {
    const source = check.source[protocol];
    return source === undefined ? [] : [{ protocol, level: levelOf(check, protocol), source }];
  }),
});

/** Every check, in the order of a report. */
export const checklist: readonly ChecklistItem[] = [...a2aChecks, ...allSimpleChecks].map(itemOf);
