/**
 * `./crosszone dev`: both zones and, unless real Slack credentials are set, a local Slack in the browser and sample agents. Edits restart their
 * zone; an edited workflow restarts the execution zone, and an edited schema regenerates the contract first. Ctrl-C stops everything.
 */
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { agentsFile } from "../agents/src/start-dev-agents.ts";
import { keepAskToken, prepareAsk } from "./dev/ask-access.ts";
import { banner } from "./dev/banner.ts";
import { guide } from "./dev/guide.ts";
import { prepareDataFolder } from "./dev/data-folder.ts";
import { keepAdminToken } from "./dev/admin-token.ts";
import { devEnvironment } from "./dev/environment.ts";
import { portsInUse } from "./dev/ports.ts";
import { startTurbo } from "./dev/turbo.ts";
import { waitUntilReady } from "./dev/wait-until-ready.ts";
import { watchFolder } from "./dev/watch-folder.ts";
import { writePrivateFile, writeZoneFile, zoneAccess } from "./dev/zone-file.ts";

const root = resolve(import.meta.dirname, "../..");
const help = `Usage: ./crosszone dev [--quiet]

Starts the execution zone, the verification zone, a local Slack and sample agents, and prints the address to open.
With SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET (or SLACK_APP_TOKEN) in the environment or in .env, real Slack is used instead.
EXECUTION_FILE adds the settings of that file; edits of it apply at once. WORKFLOWS_DIR replaces the example workflows with those of that folder.
Agents on this machine are allowed. Messages, agents, workflows and runs are kept from one start to the next.

  EXECUTION_PORT     4000   where execution listens
  VERIFICATION_PORT  3000   where verification listens; its read-only API listens at the port plus 10 (VERIFICATION_VIEW_PORT)
  ASK_PORT           4100   where other programs ask, over MCP and A2A; another port when it is in use and not set
  DEV_SLACK_PORT     3100   where the local Slack listens
  DEV_AGENTS_PORT    3200   where the sample agents listen
  --quiet                   show warnings and errors only
  --fresh                   forget messages, agents, workflows and runs of earlier starts with the local Slack
`;

const { values } = parseArgs({
  options: { help: { type: "boolean", short: "h" }, quiet: { type: "boolean" }, fresh: { type: "boolean" } },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
if (existsSync(resolve(root, ".env"))) process.loadEnvFile(resolve(root, ".env"));

const dev = devEnvironment(process.env);
for (const notice of dev.notices) process.stderr.write(`${notice}\n`);
const busy = await portsInUse(dev.services);
for (const { port, variable, name } of busy)
  process.stderr.write(`Port ${port} (${name}) is in use. Free it, or set ${variable} to another port.\n`);
if (busy.length > 0) {
  const running = (await import("./dev/running-dev.ts")).readRunningDev(process.env);
  if (running !== undefined)
    process.stderr.write(`./crosszone dev already runs, as process ${running.pid}. Ctrl-C in its terminal stops it.\n`);
  process.exit(1);
}
const { DATA_DIR: dataFolder, WORKFLOWS_DIR: workflowsFolder } = dev.env;
if (dev.localSlack && dataFolder !== undefined) prepareDataFolder(dataFolder, { fresh: values.fresh === true });
if (dataFolder !== undefined) keepAdminToken(dev, dataFolder);
const askUrl = dataFolder === undefined ? undefined : await prepareAsk(dev, { own: process.env, folder: dataFolder });
const samples = dev.services.find(({ name }) => name === "dev-agents");
if (samples !== undefined && dev.samplesFile !== undefined) writeFileSync(dev.samplesFile, agentsFile(samples.url));

const turbo = startTurbo({
  root,
  env: dev.env,
  // Those of contracts generate again when a schema is edited.
  packages: ["contracts", ...dev.services.map(({ name }) => name)],
  quiet: values.quiet === true,
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void turbo.stop());
// The reader has closed the pipe, as in `./crosszone dev | head`. Stop everything, to free the ports.
process.stdout.on("error", () => void turbo.stop());
const zoneProgram = resolve(root, "apps/execution/src/main.ts");
// Touching a source restarts the zone, even if it failed to start.
const restartZone = (): void => utimesSync(zoneProgram, new Date(), new Date());
const stopWatching = workflowsFolder === undefined ? undefined : watchFolder(workflowsFolder, restartZone);
const ready = await Promise.race([waitUntilReady(dev.services, 60_000, turbo.saidAt), turbo.ended.then(() => false)]);
const access = zoneAccess(dev, process.env);
const removals: (() => void)[] = [];
if (ready) {
  if (access !== undefined && dataFolder !== undefined) removals.push(writeZoneFile(dataFolder, access));
  const token =
    access !== undefined && dataFolder !== undefined
      ? await keepAskToken(dataFolder, access).catch(() => undefined)
      : undefined;
  if (dev.localSlack && dataFolder !== undefined) {
    const programs = askUrl === undefined ? undefined : { url: askUrl, token };
    removals.push(writePrivateFile(join(dataFolder, "guide.json"), guide(dev, access, programs)));
  }
  turbo.announce(banner(dev, access));
  // Loads the configuration of both zones, which nothing else here needs.
  const { writeRunningDev } = await import("./dev/running-dev.ts");
  if (dataFolder !== undefined && !turbo.stopped) removals.push(writeRunningDev(dataFolder, dev, process.env));
} else if (!turbo.stopped) {
  process.stderr.write("Not all services started, and none said anything for a minute; see the lines above.\n");
  await turbo.stop();
  process.exitCode = 1;
}
const code = await turbo.ended;
stopWatching?.();
for (const remove of removals) remove();
process.exitCode ||= turbo.stopped ? 0 : code;
