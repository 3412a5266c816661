import type { Statement } from "./recorder/statement.ts";

/** A part of a statement that writes. */
export interface Write {
  readonly verb: "insert" | "update" | "delete";
  readonly table: string;
}

/** A statement on the way of a question, on one line. */
export interface SqlStep {
  readonly text: string;
  readonly rows: number;
  readonly writes: readonly Write[];
  /** Sent in the same round trip as the one before it. */
  readonly pipelined: boolean;
}

/** The statements of one zone for one question. */
export interface SqlWay {
  /** In the order in which they were sent, with `begin` and `commit`. */
  readonly steps: readonly SqlStep[];
  /** Statements that an idle zone sends too: polls, renewals of leases, retention. */
  readonly apart: readonly { readonly text: string; readonly times: number }[];
  /** Statements that waited for an answer of the server; on SQLite all of them. */
  readonly trips: number;
  /** Transactions that were committed, and statements that wrote without one. */
  readonly commits: number;
  /** Insert, update and delete parts of statements that changed a row. */
  readonly writes: number;
  readonly tables: readonly string[];
}

/** Finds a question's way among all statements of its time. `idle` is what the zone sent while there was no question. */
export function findSqlWay(statements: readonly Statement[], idle: readonly Statement[]): SqlWay {
  const asked = statements.filter(({ text }) => !isSetting(text));
  const most = new Map<string, number>();
  for (const { text, rows = 0 } of idle) most.set(text, Math.max(rows, most.get(text) ?? 0));
  const isIdle = ({ text, rows = 0 }: Statement): boolean => rows <= (most.get(text) ?? -1);
  const transactions = transactionsOf(asked);
  const apart = new Set(transactions.filter((all) => all.filter(({ text }) => !isBoundary(text)).every(isIdle)).flat());
  const way = asked.filter((statement) => !apart.has(statement));
  const steps = way.map(stepOf);
  const wrote = steps.flatMap(({ writes }) => writes);
  return {
    steps,
    apart: timesOf([...apart]),
    trips: way.filter(({ pipelined }) => !pipelined).length,
    commits: transactions.filter((all) => all.some((statement) => !apart.has(statement)) && isCommitted(all)).length,
    writes: wrote.length,
    tables: [...new Set(wrote.map(({ table }) => table))].toSorted(),
  };
}

const isSetting = (text: string): boolean => /^\s*pragma\b/i.test(text);
const isBegin = (text: string): boolean => /^\s*(begin|start transaction)\b/i.test(text);
const isCommit = (text: string): boolean => /^\s*(commit|end)\b/i.test(text);
const isRollback = (text: string): boolean => /^\s*rollback\b/i.test(text);
const isBoundary = (text: string): boolean => isBegin(text) || isCommit(text) || isRollback(text);
const isCommitted = (all: readonly Statement[]): boolean =>
  all.some(({ text }) => isCommit(text)) ||
  (!all.some(({ text }) => isBoundary(text)) && all.map(stepOf).some(({ writes }) => writes.length > 0));

/** Each transaction, or single statement, in the order in which they began. */
function transactionsOf(statements: readonly Statement[]): Statement[][] {
  const last = new Map<number, Statement[]>();
  const open = new Set<number>();
  const all: Statement[][] = [];
  for (const statement of statements) {
    const { text, connection, joined } = statement;
    const before = open.has(connection) || joined ? last.get(connection) : undefined;
    const transaction = before ?? [];
    if (before === undefined) all.push(transaction);
    transaction.push(statement);
    last.set(connection, transaction);
    if (isBegin(text)) open.add(connection);
    if (isCommit(text) || isRollback(text)) open.delete(connection);
  }
  return all;
}

function stepOf({ text, rows = 0, pipelined }: Statement): SqlStep {
  const line = text.replaceAll(/\s+/g, " ").trim();
  // SQLite says after a commit how many rows the last statement changed.
  if (isBoundary(text)) return { text: line, rows: 0, writes: [], pipelined };
  const parts = writesIn(line);
  // Of a statement with several parts only the rows of the last are known.
  const writes = parts.length === 1 && rows === 0 ? [] : parts;
  return { text: line, rows, writes, pipelined };
}

const writing =
  /\b(?:(insert)(?: or \w+)? into|(?<!\b(?:for|for no key|do) )(update)|(delete) from) (?:only )?(?:"?\w+"?\.)?"?(\w+)"?/gi;

/** The parts of a statement that write; of a CTE there can be several. */
export function writesIn(line: string): Write[] {
  return [...line.matchAll(writing)].map(([, insert, update, deletion, table = ""]) => ({
    verb: (insert ?? update ?? deletion ?? "").toLowerCase() as Write["verb"],
    table,
  }));
}

function timesOf(statements: readonly Statement[]): SqlWay["apart"] {
  const byText = Map.groupBy(statements.filter(({ text }) => !isBoundary(text)).map(stepOf), ({ text }) => text);
  return [...byText].map(([text, all]) => ({ text, times: all.length }));
}
