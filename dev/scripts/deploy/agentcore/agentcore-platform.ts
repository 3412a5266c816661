import { BedrockAgentCoreControlClient } from "@aws-sdk/client-bedrock-agentcore-control";
import { DeployError, UsageError } from "../deploy-error.ts";
import { retryBusy, type Waiting } from "../wait-until.ts";
import { digestOf, type ImageChoice, imageUri, type LiveVersion, type Platform } from "../platform.ts";
import { endpointName, RuntimeCalls } from "./runtime-calls.ts";
import { movedEndpoint, newestVersion, unlessBusy, waitUntilReady, type WatchedRuntime } from "./runtime-waits.ts";

const arnForm = /^arn:aws[\w-]*:bedrock-agentcore:([a-z0-9-]+):\d{12}:runtime\/([A-Za-z]\w{0,47}-[A-Za-z0-9]{10})$/;

/** The execution zone as a runtime of AgentCore. Requests go to the endpoint `prod`, which only moves to a version that is ready. */
export function createAgentCorePlatform(runtimeArn: string, waiting: Waiting): Platform {
  const [, region, id = ""] = arnForm.exec(runtimeArn) ?? [];
  if (region === undefined)
    throw new UsageError(
      `Expected the ARN of an AgentCore runtime, got "${runtimeArn}". Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution.`,
    );
  const client = new BedrockAgentCoreControlClient({ region, maxAttempts: 1 });
  const runtime: WatchedRuntime = { calls: new RuntimeCalls(client, id), waiting };
  return {
    live: () => readLive(runtime),
    deploy: async (choice) => {
      const version = await versionWith(runtime, choice);
      await waitUntilReady(runtime, version);
      return promote(runtime, version);
    },
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
