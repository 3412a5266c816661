import { resolve } from "node:path";
import { type LogLine, startProcess, type ZoneProcess } from "../harness/start-process.ts";

/** Bytes that are left after a collection of garbage. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

export interface WatchedProcess extends ZoneProcess {
  memory(): Promise<Memory>;
  /** What it logged, a parsed line each; only that it logs lines of JSON is seen when nobody looks. */
  log: LogLine[];
}

/** A zone's own process on a free port of loopback, whose memory can be read. Ends with the test. */
export async function startWatched(
  zone: "execution" | "verification",
  env: Record<string, string>,
): Promise<WatchedProcess> {
  const log: LogLine[] = [];
  const readings: ((memory: Memory) => void)[] = [];
  const zoneProcess = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps", zone),
    args: [
      "--expose-gc",
      "--import",
      resolve(import.meta.dirname, "report-memory.ts"),
      "--conditions=@crosszone/source",
      "src/main.ts",
    ],
    env: { EXECUTION_PORT: "0", VERIFICATION_PORT: "0", EXECUTION_TOKEN: "", ...env },
    onLine: (line) => {
      if (line["event"] === "memory") readings.shift()?.(line as unknown as Memory);
      else log.push(line);
    },
  });
  return {
    ...zoneProcess,
    log,
    memory: () => {
      const { promise, resolve: got } = Promise.withResolvers<Memory>();
      readings.push(got);
      zoneProcess.signal("SIGUSR2");
      return promise;
    },
  };
}
