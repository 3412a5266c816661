import { defineConfig, logLevel } from "@crosszone/service-kit";

/** What is logged. */
export const loggingVariables = defineConfig({
  LOG_LEVEL: {
    schema: logLevel(),
    default: "info",
    description: "Least severe log lines to write.",
    group: "Logging",
  },
});
