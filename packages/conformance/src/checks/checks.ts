import type { A2AAgent } from "../a2a/a2a-agent.ts";
import type { ConformanceProtocol } from "../conformance-options.ts";
import { type Check, type Level, levelOf } from "../run/check.ts";
import type { SimpleAgent } from "../simple/simple-agent.ts";
import { answerChecks } from "./answers.ts";
import { artifactChecks } from "./artifacts.ts";
import { cardChecks } from "./card.ts";
import { conversationChecks } from "./conversations.ts";
import { envelopeChecks } from "./envelope.ts";
import { executionChecks } from "./execution.ts";
import { listChecks } from "./list.ts";
import { questionChecks } from "./questions.ts";
import { requestChecks } from "./requests.ts";
import { streamOrderChecks } from "./stream-order.ts";
import { streamChecks } from "./streams.ts";
import { subscriptionChecks } from "./subscriptions.ts";
import { simpleLimitChecks } from "./simple-limits.ts";
import { simpleChecks } from "./simple.ts";
import { taskChecks } from "./tasks.ts";
import { versionChecks, versionSpoken } from "./versions.ts";

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
