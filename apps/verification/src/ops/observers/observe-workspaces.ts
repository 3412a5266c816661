import type { WorkspacesObserver } from "../../workspaces/workspace-context.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Logs the events of workspaces. */
export function observeWorkspaces({ logger }: Pick<ObserverDeps, "logger">): WorkspacesObserver {
  return {
    appUnknown: (error, { team_id }) =>
      logger.warn("slack_app_unknown", {
        team_id,
        ...errorFields(error),
        advice:
          "Set SLACK_APP_ID, or give the app the scope users:read. Until then, events of any app with this signing secret are accepted.",
        cause: error,
      }),
    statusRefused: (error) => logger.warn("session_status_refused", errorFields(error)),
    tokenRenewed: (installation) =>
      logger.info("slack_token_renewed", installation === undefined ? {} : { installation }),
    tokenNotRenewed: (failure) =>
      logger.error(
        "slack_token_not_renewed",
        "why" in failure
          ? failure
          : { installation: failure.installation, ...errorFields(failure.error), cause: failure.error },
      ),
  };
}
