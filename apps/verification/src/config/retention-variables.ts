import { defineConfig, wholeNumber } from "@crosszone/service-kit";

const group = "Retention";

/** How long is kept what is needed no more for any answer. */
export const retentionVariables = defineConfig({
  THREAD_RETENTION_DAYS: {
    schema: wholeNumber({ min: 1, max: 3_650 }),
    default: "90",
    description:
      "How long after the last message a thread is remembered in which the app answers without being mentioned.",
    group,
  },
  PARKED_RETENTION_DAYS: {
    schema: wholeNumber({ min: 1, max: 3_650 }),
    default: "30",
    description: "How long a message is kept that could not be answered, for an operator to look at or to try again.",
    group,
  },
});
