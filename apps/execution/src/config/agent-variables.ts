import { defineConfig, wholeNumber } from "@crosszone/service-kit";

/** Where agents do their work. */
export const agentVariables = defineConfig({
  AGENT_THREADS: {
    schema: wholeNumber({ max: 64 }),
    default: "2",
    description:
      "Threads that the built-in agent computes on, so that a long computation holds nobody else up; 0 computes in the main thread.",
    group: "Agents",
  },
});
