import { defineTracingVariables, type TracingVariables } from "@crosszone/service-kit/tracing";

/** Where traces go, and how many. */
export const tracingVariables: TracingVariables = defineTracingVariables("crosszone-execution");
