import { createCounter } from "@crosszone/service-kit";
import type { InstallEnd } from "../../edge/install/install-refusal.ts";
import { installRefusals } from "../../edge/install/install-refusal.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Receives the events of the app's installations. */
export interface InstallObserver {
  /** An install flow ended in the browser. */
  readonly ended: (end: InstallEnd, requestId: string) => void;
  readonly removed: (id: string) => void;
}

/** Counts and logs installations that succeed, fail or are removed: ids, never a token, code or state. */
export function observeInstalls({ logger, registry }: Pick<ObserverDeps, "logger" | "registry">): InstallObserver {
  const installs = createCounter(registry, {
    name: "slack_installs_total",
    help: "Installations of the app by OAuth, by outcome",
    labels: { outcome: ["installed", "removed", ...installRefusals] },
  });
  return {
    ended: (end, requestId) => {
      const { installed } = end;
      installs.add({ outcome: installed === undefined ? end.refusal : "installed" });
      if (installed !== undefined) {
        const { id, enterprise_id, installed_by } = installed;
        logger.info("app_installed", { installation: id, enterprise_id, installed_by, http_request_id: requestId });
      } else
        logger.warn("install_refused", {
          reason: end.refusal,
          team_id: end.team_id,
          http_request_id: requestId,
          ...(end.cause !== undefined && { ...errorFields(end.cause), cause: end.cause }),
        });
    },
    removed: (id) => {
      installs.add({ outcome: "removed" });
      logger.info("app_removed", { installation: id });
    },
  };
}
