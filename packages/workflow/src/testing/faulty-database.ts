import type { Database } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";

/** Called with each write of turns. It commits, or not, and returns what came of it or throws. */
export type FaultyWrite = <Result>(commit: () => Promise<Result>, rollBack: () => Promise<never>) => Promise<Result>;

/** A database whose writes of turns pass `write`. */
export function faultyDatabase<Tables>(database: Database<Tables>, write: FaultyWrite): Database<Tables> {
  const refuse = async (): Promise<never> => {
    throw lostLine();
  };
  const executeQuery = (query: CompiledQuery): Promise<unknown> =>
    write(() => database.prepared.executeQuery(query), refuse);
  const prepared = { executeQuery } as unknown as Database<Tables>["prepared"];
  const transaction: Database<Tables>["transaction"] = (run) =>
    write(
      () => database.transaction(run),
      () =>
        database.transaction(async (held) => {
          await run(held);
          throw lostLine();
        }),
    );
  return { ...database, prepared, transaction };
}

/** The error of a connection that is gone. */
export const lostLine = (): Error => Object.assign(new Error("the line is gone"), { code: "ECONNRESET" });
