import { createRequire } from "node:module";
import { join } from "node:path";
import type * as pg from "pg";
import type { OnStatement, Statement } from "./statement.ts";

/** The state of a connection. A batch sends through an object that inherits it. */
interface Recorded {
  readonly number: number;
  /** Texts by the names under which the server knows them; unnamed is "". */
  readonly prepared: Map<string, string>;
  /** Sent and not answered yet, with the number of its Sync. */
  readonly open: { readonly statement: Statement; readonly sync: number }[];
  /** Syncs sent so far. */
  syncs: number;
}

const recorded = Symbol("recorded");
type Wire = pg.Connection & { [recorded]: Recorded };
type Send = (this: Wire, message: never) => void;

/**
 * Records every statement that the pg of the repository at `root` sends in this process from now on, as it is on the wire: statements before
 * one Sync are one transaction and one round trip. https://www.postgresql.org/docs/current/protocol-flow.html
 */
export function recordPostgres(root: string, onStatement: OnStatement): void {
  const { Connection } = createRequire(join(root, "packages/sql/package.json"))("pg") as typeof pg;
  const prototype = Connection.prototype as unknown as Record<string, Send>;
  let connections = 0;

  function note(wire: Wire, text: string): void {
    const { number, open, syncs } = wire[recorded];
    const last = open.at(-1);
    const statement: Statement = {
      text,
      connection: number,
      pipelined: last !== undefined,
      joined: last?.sync === syncs,
    };
    open.push({ statement, sync: syncs });
    onStatement(statement);
  }

  /** Runs a function before each call of a method of connections. */
  function before<Message>(method: string, run: (wire: Wire, message: Message) => void): void {
    const send = prototype[method] as Send;
    prototype[method] = function (...args) {
      run(this, ...(args as unknown as [Message]));
      return send.apply(this, args);
    };
  }

  before("connect", (wire) => {
    const known: Recorded = { number: ++connections, prepared: new Map(), open: [], syncs: 0 };
    wire[recorded] = known;
    wire.on("commandComplete", ({ text }: { text: string }) => {
      const answered = known.open.shift();
      if (answered !== undefined) answered.statement.rows = Number(/\d+$/.exec(text)?.[0] ?? 0);
    });
    // The server skips all statements up to the Sync.
    wire.on("errorMessage", () => {
      const failed = known.open[0]?.sync;
      while (known.open.length > 0 && known.open[0]?.sync === failed) known.open.shift();
    });
  });
  before("query", (wire, text: string) => {
    note(wire, text);
    wire[recorded].syncs += 1;
  });
  before("parse", (wire, { name = "", text }: { name?: string; text: string }) => {
    wire[recorded].prepared.set(name, text);
  });
  before("bind", (wire, { statement = "" }: { statement?: string }) => {
    note(wire, wire[recorded].prepared.get(statement) ?? statement);
  });
  before("sync", (wire) => {
    wire[recorded].syncs += 1;
  });
}
