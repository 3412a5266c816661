import { defineConfig } from "@crosszone/service-kit";
import { bridgeVariables } from "./bridge-variables.ts";
import { kafkaVariables } from "./kafka-variables.ts";

/** Which bus is used, and the largest answer that it carries. */
export const busVariables = defineConfig({
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: bridgeVariables.MAX_AGENT_RESPONSE,
});
