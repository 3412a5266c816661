import { BedrockAgentCoreControlClient } from "@aws-sdk/client-bedrock-agentcore-control";
import { DeployError, UsageError, retryBusy, type Waiting } from "../wait-until.ts";
import { endpointName, RuntimeCalls } from "./runtime-calls.ts";
import { movedEndpoint, newestVersion, unlessBusy, waitUntilReady, type WatchedRuntime } from "./runtime-waits.ts";

/** An image by digest. */
interface ImageChoice {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** URI of the repository, without tag and digest; the repository of the live image when absent. */
  readonly repository?: string;
}

/** What answers requests. */
export interface LiveVersion {
  /** Number of the runtime's version. */
  readonly version: string;
  /** URI of the image. */
  readonly image: string;
  /** Absent when the image is named by a tag. */
  readonly digest: string | undefined;
}

/** `<repository>@sha256:…`, or `<repository>:<tag>`. */
const imageForm = /^(?<repository>[^@]+?)(?::[^:@/]+)?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

const digestOf = (image: string): string | undefined => imageForm.exec(image)?.groups?.["digest"];

/** The URI of an image that is chosen by digest, in the repository of the live image unless another is named. */
function imageUri({ digest, repository }: ImageChoice, liveImage: string): string {
  return `${repository ?? imageForm.exec(liveImage)?.groups?.["repository"] ?? liveImage}@${digest}`;
}

const arnForm = /^arn:aws[\w-]*:bedrock-agentcore:([a-z0-9-]+):\d{12}:runtime\/([A-Za-z]\w{0,47}-[A-Za-z0-9]{10})$/;

/**
 * The execution zone as a runtime of AgentCore. Requests go to the endpoint `prod`, which only moves to a version that is ready. Every method
 * throws a `DeployError` that says what to do, or the error of the AWS SDK.
 */
export function createAgentCorePlatform(runtimeArn: string, waiting: Waiting) {
  const [, region, id = ""] = arnForm.exec(runtimeArn) ?? [];
  if (region === undefined)
    throw new UsageError(
      `Expected the ARN of an AgentCore runtime, got "${runtimeArn}". Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution.`,
    );
  const client = new BedrockAgentCoreControlClient({ region, maxAttempts: 1 });
  const runtime: WatchedRuntime = { calls: new RuntimeCalls(client, id), waiting };
  return {
    live: () => readLive(runtime),
    /** Makes an image live and waits until it is. When that fails, the version that was live stays. */
    deploy: async (choice: ImageChoice) => {
      const version = await versionWith(runtime, choice);
      await waitUntilReady(runtime, version);
      return promote(runtime, version);
    },
    /** Goes back to the version before the live one. */
    rollback: async () => promote(runtime, await versionBefore(runtime)),
  };
}

async function readLive(runtime: WatchedRuntime): Promise<LiveVersion> {
  const { liveVersion } = await movedEndpoint(runtime);
  const { version, image } = await retryBusy(() => runtime.calls.readVersion(liveVersion), runtime.waiting);
  return { version, image, digest: digestOf(image) };
}

/** Returns a version with the image: the newest one if it already has it, as after a failed move of the endpoint. */
function versionWith(runtime: WatchedRuntime, choice: ImageChoice): Promise<string> {
  const { calls, waiting } = runtime;
  return unlessBusy(waiting, async () => {
    const newest = await newestVersion(runtime);
    const image = imageUri(choice, newest.image);
    if (newest.image === image && newest.status === "READY") return newest.version;
    return calls.addVersion(newest, image, waiting);
  });
}

/** Returns the newest ready version before the live one. Throws a `DeployError` if there is none. */
async function versionBefore(runtime: WatchedRuntime): Promise<string> {
  const { version: current } = await readLive(runtime);
  const versions = await runtime.calls.listVersions(runtime.waiting);
  const before = versions.filter(({ version, status }) => version < Number(current) && status === "READY");
  if (before.length === 0)
    throw new DeployError(
      `Version ${current} is live, and no version before it is ready. Deploy the image that you want by --digest.`,
    );
  return String(Math.max(...before.map(({ version }) => version)));
}

/** Moves the endpoint to a version. Throws a `DeployError` if it does not arrive there. */
async function promote(runtime: WatchedRuntime, version: string): Promise<LiveVersion> {
  const { calls, waiting } = runtime;
  await unlessBusy(waiting, async () => {
    const { description } = await movedEndpoint(runtime);
    waiting.say(`Moving the endpoint ${endpointName} to version ${version}.`);
    await calls.moveEndpoint({ version, description }, waiting);
  });
  const { status, liveVersion, failureReason = "AWS gives no reason" } = await movedEndpoint(runtime);
  if (status !== "READY" || liveVersion !== version)
    throw new DeployError(
      `The endpoint ${endpointName} is ${status} on version ${liveVersion} and did not move to version ${version}: ${failureReason}.`,
    );
  return readLive(runtime);
}
