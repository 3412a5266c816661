import { createAgentCorePlatform, type LiveVersion } from "./agentcore/agentcore-platform.ts";
import { DeployError, UsageError, type Clock } from "./wait-until.ts";
import { type DeployArguments, help, readArguments } from "./read-arguments.ts";

const badCredentials =
  /^(UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|MissingAuthenticationToken|IncompleteSignature)(Exception)?$/;
const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)\b/;

/** Returns what went wrong and what to do. */
function describeFailure(error: unknown): string {
  if (error instanceof DeployError || error instanceof UsageError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The next lines of AWS contain the signed request, including the session token.
  const [firstLine = ""] = error.message.split("\n");
  const { name } = error;
  if (name === "CredentialsProviderError")
    return "No AWS credentials were found. Sign in with aws sso login and set AWS_PROFILE; in CI, take the deploy role by OIDC first.";
  if (unreachable.test(firstLine))
    return `AWS cannot be reached: ${firstLine}. Check the network, and that the region exists and has the service.`;
  if (badCredentials.test(name)) return `AWS does not accept the credentials (${name}): ${firstLine} Sign in again.`;
  if (name.startsWith("AccessDenied"))
    return `AWS refused: ${firstLine} Use the deploy role of execution: the output ExecutionDeployRole of the stack CrosszoneDelivery.`;
  if (name === "ResourceNotFoundException")
    return `AWS does not find it: ${firstLine} Deploy the stack CrosszoneExecution first (deploy/aws/README.md), and check the region and the ARN.`;
  return `AWS answered ${name}: ${firstLine}`;
}

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
  readonly status: "deployed" | "already_live" | "rolled_back" | "live";
}

/** Runs `./crosszone deploy:agentcore` and returns its exit code: 0 when the image is live, 1 when it is not, 2 for a wrong command. */
export async function runDeploy({ args, env, out, err, clock }: DeployOptions): Promise<number> {
  let given: DeployArguments | undefined;
  try {
    given = readArguments(args, env);
    if (given === undefined) {
      out(help);
      return 0;
    }
    const say = (line: string): void => err(`execution: ${line}\n`);
    const waiting = { clock, deadline: clock.now() + given.timeoutMs, say };
    const platform = createAgentCorePlatform(given.runtime, waiting);
    out(`${renderResult(await perform(platform, given), given)}\n`);
    return 0;
  } catch (error) {
    const message = describeFailure(error);
    err(`${message}\n`);
    if (given?.json) out(`${JSON.stringify({ status: "failed", error: message })}\n`);
    if (error instanceof UsageError) err("Run ./crosszone deploy:agentcore --help to see all options.\n");
    return error instanceof UsageError ? 2 : 1;
  }
}

async function perform(
  platform: ReturnType<typeof createAgentCorePlatform>,
  { verb, repository }: DeployArguments,
): Promise<Result> {
  if (verb.name === "rollback") return { status: "rolled_back", ...(await platform.rollback()) };
  const live = await platform.live();
  if (verb.name === "live-digest") return { status: "live", ...live };
  if (live.digest === verb.digest) return { status: "already_live", ...live };
  return { status: "deployed", ...(await platform.deploy({ digest: verb.digest, repository })) };
}

function renderResult(result: Result, { json }: DeployArguments): string {
  if (json) return JSON.stringify(result);
  const { status, version, digest, image } = result;
  // A line that a script can use.
  if (status === "live") return digest ?? image;
  const does = { deployed: "is live", already_live: "was already live", rolled_back: "is live again" }[status];
  return `execution: ${image} ${does}, as version ${version}.`;
}
