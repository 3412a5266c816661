import { Session } from "node:inspector";
import { fileURLToPath } from "node:url";

/** A function of a source file: where it is, in characters, and whether it ran. */
export interface CoveredFunction {
  readonly start: number;
  readonly end: number;
  readonly ran: boolean;
}

/** The functions of one source file of which at least one ran. */
export interface CoveredFile {
  /** Absolute. */
  readonly path: string;
  readonly functions: readonly CoveredFunction[];
}

/** Counts every function call of this process from now on. Gives a function that returns what ran since the last time. */
export function recordCoverage(): () => CoveredFile[] {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  // A function counts once a call only with `callCount`: without it, V8 reports each function a single time.
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return () => {
    let files: CoveredFile[] = [];
    // The session is in this thread: it answers before `post` returns.
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error) throw error;
      files = result
        .filter(({ url }) => url.startsWith("file:") && !url.includes("/node_modules/"))
        .map(({ url, functions }) => ({
          path: fileURLToPath(url),
          functions: functions.flatMap(({ ranges: [range] }) =>
            range === undefined ? [] : [{ start: range.startOffset, end: range.endOffset, ran: range.count > 0 }],
          ),
        }))
        .filter(({ functions }) => functions.some(({ ran }) => ran));
    });
    return files;
  };
}
