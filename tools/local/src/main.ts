/** `crosszone-local`: both zones, a local Slack and the agents of a folder, a process each; and what tests or copies them. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, watch } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Argument, Command, CommanderError } from "commander";
import { readLogLine, shownEvent } from "./log-line.ts";
import { runPrograms, type Program } from "./programs.ts";
import { localSettings, SettingsError, workflowsDir, type Settings } from "./settings.ts";

const variables = `
Environment:
  EXECUTION_PORT     4000   where execution listens
  VERIFICATION_PORT  3000   where verification listens
  DEV_SLACK_PORT     3100   where the local Slack listens
  LOG_LEVEL          warn   what the zones log: debug, info, warn or error`;
const lateMs = 60_000;
/** Of the column of names, which agents can exceed. */
const nameWidth = 14;
const zones = resolve(import.meta.dirname, "../zones/node_modules/@crosszone");
const manifest = join(zones, "verification/slack-app-manifest.json");
const folder = process.cwd();

function programsOf(settings: Settings, agents: readonly string[], own: NodeJS.ProcessEnv): Program[] {
  const zone = (name: string, env: NodeJS.ProcessEnv): Program => ({
    name,
    // The local Slack strips the types of its page.
    args: ["--disable-warning=ExperimentalWarning", join(zones, name, "dist/main.js")],
    env,
  });
  return [
    zone("execution", settings.execution),
    zone("verification", settings.verification),
    ...(settings.localSlack ? [zone("dev-slack", { ...settings.slack, DEV_SLACK_MANIFEST: manifest })] : []),
    // An agent gets none of the tokens in .env.
    ...agents.map((file) => ({ name: file, args: ["--watch", "--watch-preserve-output", file], env: own })),
  ];
}

async function checkPort([name, port]: readonly [string, number]): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<boolean>();
  const probe = createServer()
    .once("error", () => done(false))
    .listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => done(true)));
  if (await promise) return;
  const variable = name === "slack" ? "DEV_SLACK_PORT" : `${name.toUpperCase()}_PORT`;
  throw new SettingsError(`Port ${port} is in use. Stop what uses it, or set ${variable} in .env to another port.`);
}

/** Resolves when everything answers, however long a busy machine takes. */
async function untilReady({ ports, localSlack }: Settings): Promise<void> {
  const paths = [`${ports.execution}/readyz`, `${ports.verification}/readyz`, `${ports.slack}/healthz`];
  for (const path of localSlack ? paths : paths.slice(0, 2))
    while (
      !(await fetch(`http://127.0.0.1:${path}`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await delay(50);
}

const banner = ({ ports, localSlack, adminToken }: Settings): string => `
  Crosszone is up. Ctrl-C stops everything.

  Slack    ${localSlack ? `http://127.0.0.1:${ports.slack}` : "your workspace: write to the app, or mention it in a channel"}
  Console  http://127.0.0.1:${ports.execution}/console#token=${encodeURIComponent(adminToken)}
  Help     npm run crosszone help

`;

function settingsHere(): Settings {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return localSettings(process.env, folder);
}

/** Runs a program of each zone, verification first, with the settings of that zone. */
function runInZones(program: string, ...args: readonly string[]): void {
  const settings = settingsHere();
  for (const name of ["verification", "execution"] as const) {
    const module = join(zones, name, "dist", program);
    const { status } = spawnSync(process.execPath, [module, ...args], { env: settings[name], stdio: "inherit" });
    process.exitCode = Math.max(Number(process.exitCode ?? 0), status ?? 1);
  }
}

async function main(agents: readonly string[]): Promise<void> {
  const own = { ...process.env };
  const settings = settingsHere();
  const used = Object.entries(settings.ports).filter(([name]) => name !== "slack" || settings.localSlack);
  for (const port of used) await checkPort(port);
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const programs = programsOf(settings, agents, own);
  const running = runPrograms(programs, (name, line) => {
    const event = readLogLine(line);
    const shown = event === undefined ? line : shownEvent(event, process.stdout.isTTY);
    process.stdout.write(`${name.padEnd(nameWidth)}${shown}\n`);
  });
  const stop = Promise.withResolvers<undefined>();
  // As in `npm start | head`.
  process.stdout.on("error", () => stop.resolve(undefined));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.resolve(undefined));
  // npm passes a signal to its shell, which ends and leaves this process behind.
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] !== undefined)
    setInterval(() => process.ppid === parent || stop.resolve(undefined), 500).unref();
  const workflows = workflowsDir(process.env, folder);
  let pause: NodeJS.Timeout | undefined;
  // Editors write a file in several steps.
  const edited = (): void => {
    clearTimeout(pause);
    pause = setTimeout(() => void running.restart("execution"), 200);
  };
  const watcher = existsSync(workflows) ? watch(workflows, edited) : undefined;
  const late = "Not ready after a minute. The lines above may say why.\n";
  const notice = setTimeout(() => process.stdout.write(late), lateMs).unref();
  void untilReady(settings).then(() => void (clearTimeout(notice), process.stdout.write(banner(settings))));
  const crashed = await Promise.race([running.ended, stop.promise]);
  if (crashed !== undefined) process.stderr.write(`${crashed} ended. The lines above say why. Stopping everything.\n`);
  watcher?.close();
  clearTimeout(pause);
  await running.stop();
  process.exit(crashed === undefined ? 0 : 1);
}

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8")) as {
  version: string;
};
const program = new Command("crosszone-local")
  .description(
    "Runs the execution zone, the verification zone and a local Slack with the settings in .env, the settings in execution.yaml and verification.yaml, and the workflows in workflows/. With SLACK_BOT_TOKEN and SLACK_APP_TOKEN in .env it connects to that Slack workspace instead.",
  )
  .option(
    "--agent <file>",
    "run this agent with Node.js, and restart it when you edit it; repeatable (default: each agents/*.js)",
    (file: string, files: readonly string[] | undefined) => (files ?? []).concat(file),
  )
  .version(version, "--version", "print the version")
  .addHelpText("after", variables)
  .exitOverride()
  .action(({ agent = globSync("agents/*.js") }: { readonly agent?: readonly string[] }) => main(agent));
program
  .command("doctor")
  .description("Tests the settings of both zones against the real services. Changes nothing.")
  .action(() => runInZones("doctor.js"));
program
  .command("config")
  .description("Checks the files of settings of both zones: every mistake with its file and line, and what to write.")
  .addArgument(new Argument("<action>").choices(["check"]))
  .option("--json", "print one JSON document a zone")
  .action((action: string, { json }: { readonly json?: true }) =>
    runInZones("config.js", action, ...(json ? ["--json"] : [])),
  );
program
  .command("backup")
  .description("Copies the data of both zones into a folder, and restores it while they are stopped.")
  .addArgument(new Argument("<action>").choices(["create", "restore"]))
  .argument("<folder>")
  .action((action: string, to: string) => runInZones("data.js", "backup", action, to));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof SettingsError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
