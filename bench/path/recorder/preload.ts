/**
 * Preloaded into a zone (`node --import`): records its statements and the functions that run, from its first module on. Listens on the
 * socket PATH_RECORDER, and uses the PostgreSQL client of the repository at PATH_ROOT. `GET /statements` returns the statements since the
 * last `POST /take`; that returns them with the functions that ran, and starts again.
 */
import { createServer } from "node:http";
import { isMainThread } from "node:worker_threads";
import { recordCoverage, type CoveredFile } from "./record-coverage.ts";
import { recordPostgres } from "./record-postgres.ts";
import { recordSqlite } from "./record-sqlite.ts";
import type { Statement } from "./statement.ts";

/** What happened in a zone within a window of time. */
export interface Recording {
  readonly statements: readonly Statement[];
  readonly files: readonly CoveredFile[];
}

const { PATH_RECORDER: socket, PATH_ROOT: root } = process.env;

// Agent threads preload it too. They have no database.
if (isMainThread && socket !== undefined && root !== undefined) {
  let statements: Statement[] = [];
  const note = (statement: Statement): void => void statements.push(statement);
  recordSqlite(note);
  recordPostgres(root, note);
  const takeFiles = recordCoverage();
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const answer: Recording | readonly Statement[] =
      request.url === "/statements" ? statements : { statements, files: takeFiles() };
    if (request.url === "/take") statements = [];
    response.end(JSON.stringify(answer));
  });
  server.listen(socket).unref();
}
