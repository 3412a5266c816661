/** SQLITE_IOERR and SQLITE_FULL. https://www.sqlite.org/rescode.html */
const sqliteRoom = new Set([10, 13]);

/** SQLSTATEs disk_full and out_of_memory. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates = new Set(["53100", "53200"]);

/** Returns true if the database has no space or its disk fails. The operation is valid, but retrying soon does not help. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number" && sqliteRoom.has(errcode & 0xff)) return true;
  return (typeof code === "string" && sqlStates.has(code)) || (error.cause !== undefined && isOutOfRoom(error.cause));
}
