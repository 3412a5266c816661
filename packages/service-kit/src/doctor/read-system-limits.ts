import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Environment } from "../config.ts";
import type { SystemLimits } from "./system-checks.ts";

/** Reads the limits of this process: a zone that is started in the same way has the same. */
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

/** Node raises the soft limit to the hard one when it starts, and its report shows what came of it. */
function openFilesLimit(): number | undefined {
  // Or the report looks up a name for each open connection. The types do not know the switch yet.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}
