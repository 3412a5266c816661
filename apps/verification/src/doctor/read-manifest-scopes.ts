import { readFileSync } from "node:fs";
import { z } from "zod";
import type { ManifestScopes } from "./check-slack-scopes.ts";

const manifest = z.object({
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
});

/** The scopes in slack-app-manifest.json, which lies beside the zone's code, in the repository and where it is deployed. */
export function readManifestScopes(): ManifestScopes {
  const file = new URL("../../slack-app-manifest.json", import.meta.url);
  const { bot, bot_optional } = manifest.parse(JSON.parse(readFileSync(file, "utf8"))).oauth_config.scopes;
  return { bot, optional: bot_optional };
}
