/** Files and sockets beside the connections: the server itself, logs, outgoing calls, the database. */
const spareFiles = 200;

/** A limit of connections, by the variable that sets it. */
export interface ConnectionLimit {
  readonly name: string;
  readonly value: number;
}

/** Whether a process may open as many files as its connections need, and what to do if not. */
export interface OpenFilesJudgement {
  readonly says: string;
  readonly todo?: string;
}

/**
 * Returns how many files and sockets this process may open; undefined if that is not limited or not known. Node raises the soft limit to the
 * hard one when it starts, and its report shows the result.
 */
export function openFilesLimit(): number | undefined {
  // Or the report looks up a name for each open connection. The types do not know the switch yet.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/** Compares the limit of open files (`ulimit -n`) with what the allowed connections need. */
export function judgeOpenFiles(limit: number | undefined, { name, value }: ConnectionLimit): OpenFilesJudgement {
  if (limit === undefined) return { says: "not limited" };
  const needed = value + spareFiles;
  const says = `${limit} may be open, ${needed} may be needed (${name} and ${spareFiles})`;
  if (limit >= needed) return { says };
  return { says, todo: `Raise the limit (ulimit -n ${needed}, LimitNOFILE= of systemd), or lower ${name}.` };
}

/** Returns the warning for a start with fewer open files than `MAX_CONNECTIONS` needs; an empty list if they suffice. */
export function openFilesWarnings(
  { MAX_CONNECTIONS: value }: { readonly MAX_CONNECTIONS: number },
  limit: number | undefined = openFilesLimit(),
): readonly string[] {
  const { says, todo } = judgeOpenFiles(limit, { name: "MAX_CONNECTIONS", value });
  return todo === undefined ? [] : [`Open files: ${says}. ${todo}`];
}
