import { defineConfig, duration } from "@crosszone/service-kit";

const group = "Delete old data";

/** How long finished records are kept. */
export const retentionVariables = defineConfig({
  THREAD_RETENTION: {
    schema: duration({ min: 86_400_000, max: 3_650 * 86_400_000 }),
    default: "90d",
    description:
      "How long verification remembers a thread after its last message. In remembered threads, it answers without a mention.",
    group,
    formerly: "THREAD_RETENTION_DAYS",
  },
  PARKED_RETENTION: {
    schema: duration({ min: 86_400_000, max: 3_650 * 86_400_000 }),
    default: "30d",
    description: "How long verification keeps a parked question for an operator.",
    group,
    formerly: "PARKED_RETENTION_DAYS",
  },
});
