import { ConfigError } from "@crosszone/service-kit";
import { loadExecutionConfig } from "../config.ts";

/** The variables that are refused, by name; none when the configuration is good. */
export function configProblems(env: Record<string, string>): string[] {
  try {
    loadExecutionConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name }) => name);
  }
}
