import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";
import type { ManifestScopes } from "../../slack/read-manifest.ts";
import type { SlackProbeAnswer } from "./slack-probe.ts";

const where = "OAuth & Permissions of the app";

/** Compares the token's scopes with those of the manifest. */
export function checkSlackScopes(manifest: ManifestScopes, identity: () => SlackProbeAnswer | undefined): Check {
  return {
    name: "slack scopes",
    needs: ["slack token"],
    run: () => {
      const granted = identity()?.scopes;
      if (granted === undefined) return skipped("Slack did not return the token's scopes");
      const missing = manifest.bot.filter((scope) => !granted.includes(scope) && !manifest.optional.includes(scope));
      const known = new Set([...manifest.bot, ...manifest.optional]);
      const more = granted.filter((scope) => !known.has(scope));
      const tooMany = `Crosszone does not need ${more.join(", ")}: remove ${more.length === 1 ? "it" : "them"} in ${where}, and reinstall the app.`;
      if (missing.length > 0)
        return failed(
          `${counted(missing.length)} missing: ${missing.join(", ")}`,
          `Add ${missing.length === 1 ? "it" : "them"} in ${where}, or use slack-app-manifest.json, and reinstall the app.`,
          ...(more.length > 0 ? [tooMany] : []),
        );
      if (more.length > 0) return warned(`${counted(more.length)} more than needed: ${more.join(", ")}`, tooMany);
      return passed(`all ${granted.length} scopes of the manifest`);
    },
  };
}

const counted = (count: number): string => (count === 1 ? "1 scope" : `${count} scopes`);
