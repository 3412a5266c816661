import { byteSize, defineConfig, wholeNumber } from "@crosszone/service-kit";

/** How much is taken in. */
export const limitVariables = defineConfig({
  MAX_BODY: {
    schema: byteSize({ min: 1024 }),
    default: "1MB",
    description: "Largest request body.",
    group: "Limits",
  },
  MAX_RUNNING_TASKS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description: "Tasks that run at the same time; more are refused as rate_limited.",
    group: "Limits",
  },
});
