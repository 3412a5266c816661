import { a2aChecks, allSimpleChecks } from "./checks/checks.ts";
import type { ConformanceProtocol } from "./conformance-options.ts";
import { type Check, type Level, levelOf } from "./run/check.ts";

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
