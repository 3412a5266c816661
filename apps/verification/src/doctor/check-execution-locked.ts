import { isLoopback } from "@crosszone/service-kit";
import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";
import type { Knock } from "./knock.ts";

/** Whether the execution zone turns away who brings no credentials. */
export function checkExecutionLocked({
  url,
  knock,
}: {
  readonly url: string;
  readonly knock: Knock;
}): Pick<Check, "run"> {
  return {
    run: async () => {
      const status = await knock(url);
      if (status === undefined) return skipped("it gave no answer to a request without credentials");
      if (status === 401 || status === 403) return passed("it turns away a request without credentials");
      if (status !== 200) return skipped(`HTTP ${status} to a request without credentials says nothing about locks`);
      const todo = "Set EXECUTION_TOKEN in both zones, or CALLER_AUTH in execution and EXECUTION_CREDENTIALS here.";
      return isLoopback(new URL(url).hostname)
        ? warned("it answers anybody: every process of this machine can run tasks", todo)
        : failed("it answers anybody who reaches it", todo);
    },
  };
}
