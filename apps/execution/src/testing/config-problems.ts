import { ConfigError } from "@crosszone/service-kit";
import { loadExecutionConfig } from "../zone/config/config.ts";

/** Returns the names of the rejected variables; empty when the configuration is valid. */
export function configProblems(env: Record<string, string>): string[] {
  try {
    loadExecutionConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name }) => name);
  }
}
