import type { ConformanceCheck } from "@crosszone/contracts";
import { createLogUpdate } from "log-update";
import type { Output } from "../session.ts";

export interface CheckProgress {
  readonly add: (check: ConformanceCheck) => void;
  /** Removes the line. Can be called again. */
  readonly end: () => void;
}

/** Shows how many checks are done on one line of a terminal, and nothing elsewhere. */
export function showProgress(output: Output, isLive: boolean): CheckProgress {
  if (!isLive) return { add: () => {}, end: () => {} };
  const log = createLogUpdate(output);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  log("Checking…");
  return {
    add: ({ status, title }) => {
      counts[status] += 1;
      const { passed, failed, skipped } = counts;
      log(`Checking… ${passed} passed, ${failed} failed, ${skipped} skipped: ${title}`);
    },
    end: () => {
      log.clear();
      log.done();
    },
  };
}
