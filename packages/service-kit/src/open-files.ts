/** Files and sockets in addition to the connections: the server itself, logs, outgoing calls, the database. */
const spareFiles = 200;

/** A connection limit, and the variable that sets it. */
export interface ConnectionLimit {
  readonly name: string;
  readonly value: number;
}

/** Says whether a process can open enough files for its connections, and what to do if not. */
export interface OpenFilesJudgement {
  readonly says: string;
  readonly todo?: string;
}

/**
 * Returns how many files and sockets this process can open; undefined if the limit is infinite or unknown. Node raises the soft limit to the
 * hard limit when it starts, and its report shows the result.
 */
export function openFilesLimit(): number | undefined {
  // Without this switch, the report resolves a host name for each open connection. The types lack the switch.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/** Compares the limit of open files (`ulimit -n`) with the number that the allowed connections need. */
export function judgeOpenFiles(limit: number | undefined, { name, value }: ConnectionLimit): OpenFilesJudgement {
  if (limit === undefined) return { says: "not limited" };
  const needed = value + spareFiles;
  const says = `${limit} may be open, ${needed} may be needed (${name} and ${spareFiles})`;
  if (limit >= needed) return { says };
  return { says, todo: `Raise the limit (ulimit -n ${needed}, LimitNOFILE= of systemd), or lower ${name}.` };
}

/** Returns a warning if the limit of open files is too low for `MAX_CONNECTIONS`; otherwise an empty list. */
export function openFilesWarnings(
  { MAX_CONNECTIONS: value }: { readonly MAX_CONNECTIONS: number },
  limit: number | undefined = openFilesLimit(),
): readonly string[] {
  const { says, todo } = judgeOpenFiles(limit, { name: "MAX_CONNECTIONS", value });
  return todo === undefined ? [] : [`Open files: ${says}. ${todo}`];
}
