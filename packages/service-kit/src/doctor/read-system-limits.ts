import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Environment } from "../config-definition.ts";
import { openFilesLimit } from "../open-files.ts";
import type { SystemLimits } from "./system-checks.ts";

/** Reads the limits of this process. A zone that is started the same way has the same limits. */
export function readSystemLimits(env: Environment): SystemLimits {
  const openFiles = openFilesLimit();
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return {
    ...(openFiles !== undefined && { openFiles }),
    heap: getHeapStatistics().heap_size_limit,
    // Without a limit of the container it is 0, or a number far beyond the machine.
    memory: constrained > 0 && constrained < total ? constrained : total,
    tlsVerification: env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0",
  };
}
