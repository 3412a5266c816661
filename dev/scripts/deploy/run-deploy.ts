import { createAgentCorePlatform } from "./agentcore/agentcore-platform.ts";
import { UsageError } from "./deploy-error.ts";
import { describeFailure } from "./describe-failure.ts";
import { createEcsPlatform } from "./ecs/ecs-platform.ts";
import type { Clock } from "./patience.ts";
import type { LiveVersion, Platform } from "./platform.ts";
import { type App, type DeployArguments, help, readArguments } from "./read-arguments.ts";

export interface DeployOptions {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Takes the result. */
  readonly out: (text: string) => void;
  /** Takes progress and errors. */
  readonly err: (text: string) => void;
  readonly clock: Clock;
}

interface Result extends LiveVersion {
  readonly app: App;
  readonly status: "deployed" | "already_live" | "rolled_back" | "live";
}

/** Runs `pnpm deploy:aws` and returns its exit code: 0 when the image is live, 1 when it is not, 2 for a wrong command. */
export async function runDeploy({ args, env, out, err, clock }: DeployOptions): Promise<number> {
  let given: DeployArguments | undefined;
  try {
    given = readArguments(args, env);
    if (given === undefined) {
      out(help);
      return 0;
    }
    const { app, target, timeoutMs } = given;
    const say = (line: string): void => err(`${app}: ${line}\n`);
    const patience = { clock, deadline: clock.now() + timeoutMs, say };
    const platform =
      app === "execution" ? createAgentCorePlatform(target, patience) : createEcsPlatform(target, patience);
    out(`${renderResult(await perform(platform, given), given)}\n`);
    return 0;
  } catch (error) {
    const message = describeFailure(error, given?.app ?? "execution");
    err(`${message}\n`);
    if (given?.json) out(`${JSON.stringify({ app: given.app, status: "failed", error: message })}\n`);
    if (error instanceof UsageError) err("Run pnpm deploy:aws --help to see all options.\n");
    return error instanceof UsageError ? 2 : 1;
  }
}

async function perform(platform: Platform, { app, verb, repository }: DeployArguments): Promise<Result> {
  if (verb.name === "rollback") return { app, status: "rolled_back", ...(await platform.rollback()) };
  const live = await platform.live();
  if (verb.name === "live-digest") return { app, status: "live", ...live };
  if (live.digest === verb.digest) return { app, status: "already_live", ...live };
  return { app, status: "deployed", ...(await platform.deploy({ digest: verb.digest, repository })) };
}

function renderResult(result: Result, { json }: DeployArguments): string {
  if (json) return JSON.stringify(result);
  const { app, status, version, digest, image } = result;
  // A line that a script can use.
  if (status === "live") return digest ?? image;
  const does = { deployed: "is live", already_live: "was already live", rolled_back: "is live again" }[status];
  return `${app}: ${image} ${does}, as version ${version}.`;
}
