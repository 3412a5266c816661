type Line = Readonly<Record<string, unknown>>;

/** How often one cause of an outage is logged, milliseconds. */
const onceMs = 60_000;

/** Code and words of errors of connections, of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and of SQLite. */
const outage =
  /^((E(AI_AGAIN|CONN|HOST|NET|NOTFOUND|PIPE|TIMEDOUT)|UND_ERR|(08|25P|53|57P|58)\w+ |25006 )| (Connection term|timeout ex|Query read t)|ERR_SQLITE\w* (disk I|database (is locked|or disk)))/;

/**
 * Returns a function for lines of warnings and errors. One about an outage has no stacks, and is left out if another one with its cause was
 * written in the last minute; the next one counts them in `left_out`. What one question, sender or agent met is written once for each.
 */
export function createOutageFilter(): (line: Line) => Line | undefined {
  const written = new Map<string, { readonly at: number; left_out: number }>();
  return (line) => {
    // `err` is that of a bug, or of the stop.
    const cause = "err" in line ? undefined : causeOf(line);
    if (cause === undefined) return line;
    const subject = line["correlation_id"] ?? line["address"] ?? line["agent_name"];
    const key = JSON.stringify([line["level"], cause, subject, subject && line["event"]]);
    const [now, last] = [performance.now(), written.get(key)];
    if (last !== undefined && now - last.at < onceMs) return void (last.left_out += 1);
    if (written.size >= 1_000) written.clear();
    written.set(key, { at: now, left_out: 0 });
    const all = { ...line, ...(last?.left_out && { left_out: last.left_out }) };
    return JSON.parse(JSON.stringify(all, (name, value: unknown) => (name === "stack" ? undefined : value))) as Line;
  };
}

/** Returns the code and the words of the first error of an outage in a line, or the kind of the failed call; undefined if there is none. */
function causeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code = "", message, kind } = value as Line;
  const said = `${String(code)} ${String(message)}`;
  if (typeof message === "string" && outage.test(said)) return said;
  const within = Object.values(value)
    .map(causeOf)
    .find((cause) => cause !== undefined);
  return within ?? /^(zone_unavailable$|link_.*)/.exec(String(kind))?.[0];
}
