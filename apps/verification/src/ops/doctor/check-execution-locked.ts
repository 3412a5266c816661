import { isLoopback } from "@crosszone/service-kit";
import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";
import type { Knock } from "./knock.ts";

/** Checks that execution rejects requests without credentials. */
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
      if (status === undefined) return skipped("it did not respond to a request without credentials");
      if (status === 401 || status === 403) return passed("it rejects a request without credentials");
      if (status !== 200)
        return skipped(`it responds with HTTP ${status} to a request without credentials, which is inconclusive`);
      const todo = "Set EXECUTION_TOKEN in both zones, or CALLER_AUTH in execution and EXECUTION_CREDENTIALS here.";
      return isLoopback(new URL(url).hostname)
        ? warned("it accepts requests without credentials: every process of this machine can run tasks", todo)
        : failed("it accepts requests without credentials from any host", todo);
    },
  };
}
