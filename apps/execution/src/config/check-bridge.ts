import { createAddressRules } from "@crosszone/agent-bridge";
import type { ConfigProblem, ConfigValues } from "@crosszone/service-kit";
import type { bridgeVariables } from "./bridge-variables.ts";

/** What is wrong with the ways to agents that a schema cannot say. Variables that could not be read are absent. */
export function checkBridge({
  AGENT_ORIGINS: origins = [],
}: Partial<ConfigValues<typeof bridgeVariables>>): ConfigProblem[] {
  try {
    createAddressRules({ origins });
    return [];
  } catch (error) {
    return [{ name: "AGENT_ORIGINS", wrong: `cannot be used: ${(error as Error).message}` }];
  }
}
