import { UsageError } from "./wait-until.ts";
import { parseArgs } from "node:util";
import { errorText } from "../../../packages/service-kit/src/values/text.ts";

type Verb =
  | { readonly name: "deploy"; readonly digest: string }
  | { readonly name: "rollback" }
  | { readonly name: "live-digest" };

export interface DeployArguments {
  readonly verb: Verb;
  /** URI of the repository of the image. */
  readonly repository: string | undefined;
  /** ARN of the runtime. */
  readonly runtime: string;
  readonly timeoutMs: number;
  readonly json: boolean;
}

export const help = `Usage: ./crosszone deploy:agentcore --digest sha256:… [options]
       ./crosszone deploy:agentcore --rollback [options]
       ./crosszone deploy:agentcore --live-digest [options]

Makes an image of execution live on AgentCore and waits until it is: a new version of the runtime, then the endpoint prod
moves to it. Does nothing when the image is live already.

  --digest <digest>     the image to make live
  --image <uri>         its repository, for example 123456789012.dkr.ecr.eu-central-1.amazonaws.com/crosszone-execution;
                        the repository of the live image when it is not given
  --rollback            go back to the version before the live one
  --live-digest         print the digest of the live image
  --runtime <arn>       the runtime; AGENTCORE_RUNTIME_ARN when it is not given
  --timeout <seconds>   how long to wait; 900 when it is not given
  --json                print the result as one line of JSON; progress goes to stderr

Credentials come from where the AWS CLI finds them.
Exit code: 0 when the image is live, 1 when it is not, 2 when the command is wrong.
`;

const digestForm = /^sha256:[0-9a-f]{64}$/;
const repositoryForm = /^[\w.-]+(:\d+)?(\/[a-z0-9._-]+)+$/;

/** Reads the command line. Returns nothing if it asks for help. Throws a `UsageError`. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): DeployArguments | undefined {
  const { values, positionals } = parse(args.filter((arg) => arg !== "--"));
  if (values.help) return undefined;
  if (positionals.length > 0) throw new UsageError(`Expected options only, got "${positionals.join(" ")}".`);
  const { image: repository, timeout = "900", json = false } = values;
  if (repository !== undefined && !repositoryForm.test(repository))
    throw new UsageError(`Expected the URI of a repository, without tag and digest, got --image "${repository}".`);
  const timeoutMs = Number(timeout) * 1_000;
  if (!(timeoutMs > 0)) throw new UsageError(`Expected a number of seconds above 0, got --timeout "${timeout}".`);
  return { verb: verbOf(values), repository, runtime: runtimeOf(values, env), timeoutMs, json };
}

type Values = ReturnType<typeof parse>["values"];

function verbOf({ digest, rollback, "live-digest": liveDigest }: Values): Verb {
  const given = [digest !== undefined, rollback, liveDigest].filter(Boolean).length;
  if (given !== 1) throw new UsageError("Expected exactly one of --digest, --rollback and --live-digest.");
  if (rollback) return { name: "rollback" };
  if (digest === undefined) return { name: "live-digest" };
  if (!digestForm.test(digest))
    throw new UsageError(`Expected a digest: sha256: and 64 hexadecimal digits, got --digest "${digest}".`);
  return { name: "deploy", digest };
}

function runtimeOf({ runtime }: Values, env: NodeJS.ProcessEnv): string {
  const arn = runtime ?? env["AGENTCORE_RUNTIME_ARN"];
  if (arn) return arn;
  throw new UsageError(
    "The runtime is not known. Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution, or give --runtime.",
  );
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const texts = { digest: text, image: text, runtime: text, timeout: text };
const flags = { rollback: flag, "live-digest": flag, json: flag, help: { ...flag, short: "h" } } as const;
const options = { ...texts, ...flags };

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(errorText(error), { cause: error });
  }
}
