import type { ConformanceReport } from "@crosszone/contracts";

/** The checks that failed, of either level. */
export const failedIds = ({ checks }: ConformanceReport): readonly string[] =>
  checks.filter(({ status }) => status === "failed").map(({ id }) => id);
