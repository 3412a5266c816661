import { readFileSync } from "node:fs";
import { z } from "zod";

const manifest = z
  .object({
    display_information: z.object({ name: z.string() }),
    oauth_config: z.object({
      scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
    }),
  })
  .transform(({ display_information: { name }, oauth_config: { scopes } }) => {
    return { name, scopes: { bot: scopes.bot, optional: scopes.bot_optional } };
  });

/**
 * Reads the app's name and the scopes that its bot requests. A workspace can decline the optional ones. slack-app-manifest.json lies next to the zone's code in the repository and in deployments.
 */
export function readManifest(): Readonly<z.output<typeof manifest>> {
  const file = new URL("../../slack-app-manifest.json", import.meta.url);
  return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
}
