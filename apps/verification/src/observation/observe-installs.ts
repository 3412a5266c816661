import { createCounter } from "@crosszone/service-kit";
import type { InstallEnd } from "../installations/install-refusal.ts";
import { installRefusals } from "../installations/install-refusal.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** What happens to installations of the app. */
export interface InstallObserver {
  /** How an install flow ended in the browser. */
  readonly ended: (end: InstallEnd, requestId: string) => void;
  readonly removed: (id: string) => void;
}

/** Counts installations that begin, fail and end, and logs them: ids, never a token, a code or a state. */
export function observeInstalls({ logger, registry }: Pick<ObserverDeps, "logger" | "registry">): InstallObserver {
  const installs = createCounter(registry, {
    name: "slack_installs_total",
    help: "Installations of the app by OAuth, by what became of them",
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
