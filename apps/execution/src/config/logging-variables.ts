import { defineConfig, logLevel } from "@crosszone/service-kit";

/** The log. */
export const loggingVariables = defineConfig({
  LOG_LEVEL: {
    schema: logLevel(),
    default: "info",
    description: "Lowest level of log lines to write.",
    group: "Logs and traces",
  },
});
