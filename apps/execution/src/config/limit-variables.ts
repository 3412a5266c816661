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
  MAX_REQUESTS_PER_MINUTE: {
    schema: wholeNumber(),
    default: "6000",
    description: "Requests that one caller may send in a minute; 0 is no limit. More are refused as rate_limited.",
    group: "Limits",
  },
  MAX_REQUEST_BURST: {
    schema: wholeNumber({ min: 1 }),
    default: "1000",
    description: "How many of these requests may come at once.",
    group: "Limits",
  },
});
