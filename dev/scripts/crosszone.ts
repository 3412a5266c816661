/** `pnpm crosszone`: the command line for the zone of a running `pnpm dev`, unless the environment names another. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { runProcess } from "../../packages/cli/src/run-process.ts";
import { devEnvironment } from "./dev/environment.ts";
import { readZoneFile } from "./dev/zone-file.ts";

const root = resolve(import.meta.dirname, "../..");
if (existsSync(resolve(root, ".env"))) process.loadEnvFile(resolve(root, ".env"));
const { CROSSZONE_URL, CROSSZONE_TOKEN, INIT_CWD } = process.env;
const isNamed = Boolean(CROSSZONE_URL || CROSSZONE_TOKEN);
const { DATA_DIR: dataFolder } = devEnvironment(process.env).env;
const zone = isNamed || dataFolder === undefined ? undefined : readZoneFile(dataFolder);
// pnpm runs scripts in the root; resolve file names from the user's folder.
if (INIT_CWD) process.chdir(INIT_CWD);

const [first, ...rest] = process.argv.slice(2);
await runProcess({
  argv: first === undefined ? [] : first === "--" ? rest : [first, ...rest],
  env: {
    ...process.env,
    ...(zone && {
      CROSSZONE_URL: zone.url,
      CROSSZONE_TOKEN: zone.token,
      CROSSZONE_LINK_TOKEN: zone.linkToken,
      CROSSZONE_VERIFICATION_URL: zone.verificationUrl,
    }),
  },
  pageToken: zone?.token,
  localCrosszone: [process.execPath, "--conditions=@crosszone/source", resolve(root, "dev/scripts/dev.ts"), "--quiet"],
  ...(!isNamed && {
    hint: "pnpm dev is not running; start it in another terminal (npx -y pnpm@12.18.0 dev), or set CROSSZONE_URL and CROSSZONE_TOKEN.",
  }),
});
