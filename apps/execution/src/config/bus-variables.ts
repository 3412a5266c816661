import { defineConfig } from "@crosszone/service-kit";
import { bridgeVariables } from "./bridge-variables.ts";
import { kafkaVariables } from "./kafka-variables.ts";

/** The bus, and the largest agent response that it carries. */
export const busVariables = defineConfig({
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: bridgeVariables.MAX_AGENT_RESPONSE,
});
