import { byteSize, defineConfig, wholeNumber } from "@crosszone/service-kit";

/** How much execution accepts. */
export const limitVariables = defineConfig({
  MAX_BODY: {
    schema: byteSize({ min: 1024 }),
    default: "1MB",
    description: "Largest request body.",
    group: "Capacity",
  },
  MAX_RUNNING_TASKS: {
    schema: wholeNumber({ min: 1 }),
    default: "100",
    description: "Tasks that one process runs at the same time. Execution refuses more as rate_limited.",
    group: "Capacity",
  },
  MAX_REQUESTS_PER_MINUTE: {
    schema: wholeNumber(),
    default: "6000",
    description: "Requests per caller and minute; 0 turns the limit off. Execution refuses more as rate_limited.",
    group: "Capacity",
  },
  MAX_REQUEST_BURST: {
    schema: wholeNumber({ min: 1 }),
    default: "1000",
    description: "Requests of one caller that can arrive at once.",
    group: "Capacity",
  },
});
