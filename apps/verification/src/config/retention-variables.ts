import { defineConfig, duration } from "@crosszone/service-kit";

const group = "Retention";

/** How long is kept what is needed no more for any answer. */
export const retentionVariables = defineConfig({
  THREAD_RETENTION: {
    schema: duration({ min: 86_400_000, max: 3_650 * 86_400_000 }),
    default: "90d",
    description:
      "How long after the last message a thread is remembered in which the app answers without being mentioned.",
    group,
    formerly: "THREAD_RETENTION_DAYS",
  },
  PARKED_RETENTION: {
    schema: duration({ min: 86_400_000, max: 3_650 * 86_400_000 }),
    default: "30d",
    description: "How long a message is kept that could not be answered, for an operator to look at or to try again.",
    group,
    formerly: "PARKED_RETENTION_DAYS",
  },
});
