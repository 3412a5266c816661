import { defineConfig } from "@crosszone/service-kit";
import { bridgeVariables } from "./bridge-variables.ts";
import { kafkaVariables } from "./kafka-variables.ts";

/** Which bus it is, and how large the answers are that it carries. */
export const busVariables = defineConfig({
  ...kafkaVariables,
  MAX_AGENT_RESPONSE: bridgeVariables.MAX_AGENT_RESPONSE,
});
