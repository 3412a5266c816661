import { loadExecutionConfig, openRoles, openTaskStore, type OpenRoles } from "@crosszone/execution";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import type { LogLine } from "./log-lines.ts";

/** What a process of the execution zone has but for its HTTP server, before `start`. */
export interface WithoutHttp extends OpenRoles {
  readonly log: readonly LogLine[];
  /** What `/metrics` would show. */
  readonly shown: () => Promise<string>;
}

/** Opens the roles of a process on a database that others may use too. Ends with the test. */
export async function openWithoutHttp(url: string, env: Record<string, string>): Promise<WithoutHttp> {
  const { values: config } = loadExecutionConfig(env);
  const log: LogLine[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const [metrics, health] = [createMetrics(), createHealth()];
  const { database, jobs } = await openTaskStore({ url });
  const roles = await openRoles({ config, database, jobs, vault: undefined, logger, metrics, health }, env);
  onTestFinished(async () => {
    await roles.stop(1_000);
    await roles.close();
    await database.close();
  });
  return { ...roles, log, shown: async () => (await metrics.render()).body };
}
