import type { Statement } from "./recorder.ts";

/** A statement on the way of a question, on one line, and the parts of it that changed a row: `insert job`. */
interface SqlStep {
  readonly text: string;
  readonly writes: readonly string[];
}

/** The statements of one zone for one question. */
export interface SqlWay {
  /** Transaction by transaction, with `begin` and `commit`, without those that an idle zone sends too. */
  readonly steps: readonly SqlStep[];
  /** Transactions that were committed, and statements that wrote without one. */
  readonly commits: number;
  /** Insert, update and delete parts of statements that changed a row. */
  readonly writes: number;
  readonly tables: readonly string[];
}

/** Finds a question's way among all statements of its time. `idle` is what the zone sent while there was no question. */
export function findSqlWay(statements: readonly Statement[], idle: readonly Statement[]): SqlWay {
  const most = new Map<string, number>();
  for (const { text, rows } of idle) most.set(text, Math.max(rows, most.get(text) ?? 0));
  const isIdle = ({ text, rows }: Statement): boolean => rows <= (most.get(text) ?? -1);
  const sent = statements.filter(({ text }) => !/^\s*pragma\b/i.test(text));
  const own = transactionsOf(sent).filter((all) => !all.every((one) => isBoundary(one.text) || isIdle(one)));
  const steps = own.flat().map(stepOf);
  const writes = steps.flatMap((step) => step.writes);
  return {
    steps,
    commits: own.filter(isCommitted).length,
    writes: writes.length,
    tables: [...new Set(writes.map((write) => write.split(" ")[1] ?? ""))].toSorted(),
  };
}

const isBegin = (text: string): boolean => /^\s*(begin|start transaction)\b/i.test(text);
const isEnd = (text: string): boolean => /^\s*(commit|end|rollback)\b/i.test(text);
const isBoundary = (text: string): boolean => isBegin(text) || isEnd(text);
const isCommitted = (all: readonly Statement[]): boolean =>
  all.some(({ text }) => /^\s*(commit|end)\b/i.test(text)) ||
  (!all.some(({ text }) => isBoundary(text)) && all.some((one) => stepOf(one).writes.length > 0));

/** Each transaction, or single statement, in the order in which they began. */
function transactionsOf(statements: readonly Statement[]): Statement[][] {
  const open = new Map<number, Statement[]>();
  const all: Statement[][] = [];
  for (const statement of statements) {
    const transaction = open.get(statement.connection) ?? [];
    if (transaction.push(statement) === 1) all.push(transaction);
    if (isBegin(statement.text)) open.set(statement.connection, transaction);
    if (isEnd(statement.text)) open.delete(statement.connection);
  }
  return all;
}

const writing =
  /\b(?:(insert)(?: or \w+)? into|(?<!\b(?:for|for no key|do) )(update)|(delete) from) (?:only )?(?:"?\w+"?\.)?"?(\w+)"?/gi;

function stepOf({ text, rows }: Statement): SqlStep {
  const line = text.replaceAll(/\s+/g, " ").trim();
  // SQLite says after a commit how many rows the last statement changed.
  if (isBoundary(line)) return { text: line, writes: [] };
  const writes = [...line.matchAll(writing)].map(
    ([, insert, update, deletion, table]) => `${(insert ?? update ?? deletion ?? "").toLowerCase()} ${table}`,
  );
  // Of a statement with several parts only the rows of the last are known.
  return { text: line, writes: writes.length === 1 && rows === 0 ? [] : writes };
}
