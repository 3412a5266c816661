import { parseArgs } from "node:util";
import { UsageError } from "./deploy-error.ts";
import { errorText } from "../../../packages/service-kit/src/values/text.ts";

export type App = "execution" | "verification";

export type Verb =
  | { readonly name: "deploy"; readonly digest: string }
  | { readonly name: "rollback" }
  | { readonly name: "live-digest" };

export interface DeployArguments {
  readonly app: App;
  readonly verb: Verb;
  /** URI of the repository of the image. */
  readonly repository: string | undefined;
  /** ARN of the runtime, or cluster and service. */
  readonly target: string;
  readonly timeoutMs: number;
  readonly json: boolean;
}

export const help = `Usage: pnpm deploy:aws <execution|verification> --digest sha256:… [options]
       pnpm deploy:aws <execution|verification> --rollback [options]
       pnpm deploy:aws <execution|verification> --live-digest [options]

Makes an image live and waits until it is. Does nothing when it is live already.
execution is a runtime of AgentCore: a new version, then the endpoint prod moves to it.
verification is a service of ECS: a new task definition, then its tasks are replaced.

  --digest <digest>     the image to make live
  --image <uri>         its repository, for example 123456789012.dkr.ecr.eu-central-1.amazonaws.com/crosszone-execution;
                        the repository of the live image when it is not given
  --rollback            go back to the version before the live one
  --live-digest         print the digest of the live image
  --runtime <arn>       the runtime of execution; AGENTCORE_RUNTIME_ARN when it is not given
  --service <name>      cluster and service of verification; crosszone/verification when it is not given
  --timeout <seconds>   how long to wait; 900 when it is not given
  --json                print the result as one line of JSON; progress goes to stderr

Credentials come from where the AWS CLI finds them. verification needs AWS_REGION.
Exit code: 0 when the image is live, 1 when it is not, 2 when the command is wrong.
`;

const digestForm = /^sha256:[0-9a-f]{64}$/;
const repositoryForm = /^[\w.-]+(:\d+)?(\/[a-z0-9._-]+)+$/;

/** Reads the command line. Returns nothing if it asks for help. Throws a `UsageError`. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): DeployArguments | undefined {
  const { values, positionals } = parse(args.filter((arg) => arg !== "--"));
  if (values.help) return undefined;
  const [app, ...more] = positionals;
  if ((app !== "execution" && app !== "verification") || more.length > 0)
    throw new UsageError(`Expected execution or verification, got "${positionals.join(" ")}".`);
  const { image: repository, timeout = "900", json = false } = values;
  if (repository !== undefined && !repositoryForm.test(repository))
    throw new UsageError(`Expected the URI of a repository, without tag and digest, got --image "${repository}".`);
  const timeoutMs = Number(timeout) * 1_000;
  if (!(timeoutMs > 0)) throw new UsageError(`Expected a number of seconds above 0, got --timeout "${timeout}".`);
  return { app, verb: verbOf(values), repository, target: targetOf(app, values, env), timeoutMs, json };
}

interface Values {
  readonly digest?: string | undefined;
  readonly rollback?: boolean | undefined;
  readonly "live-digest"?: boolean | undefined;
  readonly runtime?: string | undefined;
  readonly service?: string | undefined;
}

function verbOf({ digest, rollback, "live-digest": liveDigest }: Values): Verb {
  const given = [digest !== undefined, rollback, liveDigest].filter(Boolean).length;
  if (given !== 1) throw new UsageError("Expected exactly one of --digest, --rollback and --live-digest.");
  if (rollback) return { name: "rollback" };
  if (digest === undefined) return { name: "live-digest" };
  if (!digestForm.test(digest))
    throw new UsageError(`Expected a digest: sha256: and 64 hexadecimal digits, got --digest "${digest}".`);
  return { name: "deploy", digest };
}

function targetOf(app: App, { runtime, service }: Values, env: NodeJS.ProcessEnv): string {
  if (app === "verification") return service ?? "crosszone/verification";
  const arn = runtime ?? env["AGENTCORE_RUNTIME_ARN"];
  if (arn) return arn;
  throw new UsageError(
    "The runtime is not known. Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution, or give --runtime.",
  );
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        digest: { type: "string" },
        image: { type: "string" },
        rollback: { type: "boolean" },
        "live-digest": { type: "boolean" },
        runtime: { type: "string" },
        service: { type: "string" },
        timeout: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(errorText(error), { cause: error });
  }
}
