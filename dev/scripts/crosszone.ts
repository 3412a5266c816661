/** `./crosszone`: the command line for the zone of a running `dev`, unless the environment names another. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { runProcess } from "../../tools/cli/src/run-process.ts";
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

const [first = "", ...rest] = process.argv.slice(2).filter((word, at) => at > 0 || word !== "--");
const dev = resolve(import.meta.dirname, "dev.ts");
await runProcess({
  argv: first === "" ? [] : [first, ...rest],
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
  programs: {
    dev,
    backup: resolve(import.meta.dirname, "backup.ts"),
    data: resolve(import.meta.dirname, "data.ts"),
    chat: resolve(root, "dev/slack/src/chat/main.ts"),
    config: resolve(import.meta.dirname, "config.ts"),
    doctor: resolve(import.meta.dirname, "doctor.ts"),
  },
  localCrosszone: [process.execPath, "--conditions=@crosszone/source", dev, "--quiet"],
  ...(!isNamed && {
    hint: "No zone is running. Start one in another terminal (./crosszone dev), or set CROSSZONE_URL and CROSSZONE_TOKEN.",
  }),
});
