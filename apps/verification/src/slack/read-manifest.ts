import { readFileSync } from "node:fs";
import { z } from "zod";

/** The app's settings in slack-app-manifest.json. */
export interface Manifest {
  readonly name: string;
  readonly scopes: ManifestScopes;
}

/** The scopes that the app requests. */
export interface ManifestScopes {
  readonly bot: readonly string[];
  /** The scopes that a workspace can decline. */
  readonly optional: readonly string[];
}

const manifest = z.object({
  display_information: z.object({ name: z.string() }),
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
});

/** Reads slack-app-manifest.json, which lies next to the zone's code in the repository and in deployments. */
export function readManifest(): Manifest {
  const file = new URL("../../slack-app-manifest.json", import.meta.url);
  const { display_information, oauth_config } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  const { bot, bot_optional } = oauth_config.scopes;
  return { name: display_information.name, scopes: { bot, optional: bot_optional } };
}
