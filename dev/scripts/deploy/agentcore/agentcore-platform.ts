import { BedrockAgentCoreControlClient } from "@aws-sdk/client-bedrock-agentcore-control";
import { DeployError, UsageError } from "../deploy-error.ts";
import { type Waiting, retryBusy, waitUntil } from "../wait-until.ts";
import { digestOf, type ImageChoice, imageUri, type LiveVersion, type Platform } from "../platform.ts";
import { endpointName, RuntimeCalls, type RuntimeVersion } from "./runtime-calls.ts";

const arnForm = /^arn:aws[\w-]*:bedrock-agentcore:([a-z0-9-]+):\d{12}:runtime\/([A-Za-z]\w{0,47}-[A-Za-z0-9]{10})$/;
const underWay = new Set(["CREATING", "UPDATING"]);

/** The execution zone as a runtime of AgentCore. Requests go to the endpoint `prod`, which only moves to a version that is ready. */
export function createAgentCorePlatform(runtimeArn: string, waiting: Waiting): Platform {
  const [, region, id = ""] = arnForm.exec(runtimeArn) ?? [];
  if (region === undefined)
    throw new UsageError(
      `Expected the ARN of an AgentCore runtime, got "${runtimeArn}". Set AGENTCORE_RUNTIME_ARN to the output RuntimeArn of the stack CrosszoneExecution.`,
    );
  const calls = new RuntimeCalls(new BedrockAgentCoreControlClient({ region, maxAttempts: 1 }), id);

  /** The newest version, once no update of the runtime is under way. */
  const newestVersion = (): Promise<RuntimeVersion> =>
    waitUntil(
      {
        read: () => calls.readVersion(),
        isDone: ({ status }) => !underWay.has(status),
        state: ({ version, status }) => `Version ${version} of the runtime is ${status}.`,
      },
      waiting,
    );

  /** Where the endpoint points, once no move of it is under way. */
  const settledEndpoint = () =>
    waitUntil(
      {
        read: () => calls.readEndpoint(),
        isDone: ({ status = "" }) => !underWay.has(status),
        state: ({ status, targetVersion }) => `The endpoint ${endpointName} is ${status} to version ${targetVersion}.`,
      },
      waiting,
    );

  async function live(): Promise<LiveVersion> {
    const { liveVersion } = await settledEndpoint();
    const { version, image } = await retryBusy(() => calls.readVersion(liveVersion), waiting);
    return { version, image, digest: digestOf(image) };
  }

  /** A version with the image: the newest one when it has it already, as after a move of the endpoint that failed. */
  async function versionWith(choice: ImageChoice): Promise<string> {
    for (;;) {
      const newest = await newestVersion();
      const image = imageUri(choice, newest.image);
      if (newest.image === image && newest.status === "READY") return newest.version;
      try {
        return await calls.addVersion(newest, image, waiting);
      } catch (error) {
        await waitForOther(error, waiting);
      }
    }
  }

  async function waitUntilReady(version: string): Promise<void> {
    const { status, failureReason = "AWS gives no reason" } = await waitUntil(
      {
        read: () => calls.readVersion(version),
        isDone: (runtime) => !underWay.has(runtime.status),
        state: (runtime) => `Version ${version} of the runtime is ${runtime.status}; ${endpointName} has not moved.`,
      },
      waiting,
    );
    if (status !== "READY")
      throw new DeployError(`Version ${version} is ${status}: ${failureReason}. ${endpointName} has not moved.`);
    waiting.say(`Version ${version} of the runtime is READY.`);
  }

  async function promote(version: string): Promise<LiveVersion> {
    for (;;) {
      const { description } = await settledEndpoint();
      try {
        waiting.say(`Moving the endpoint ${endpointName} to version ${version}.`);
        await calls.moveEndpoint({ version, description }, waiting);
        break;
      } catch (error) {
        await waitForOther(error, waiting);
      }
    }
    const { status, liveVersion, failureReason = "AWS gives no reason" } = await settledEndpoint();
    if (status !== "READY" || liveVersion !== version)
      throw new DeployError(
        `The endpoint ${endpointName} is ${status} on version ${liveVersion} and did not move to version ${version}: ${failureReason}.`,
      );
    return live();
  }

  return {
    live,
    deploy: async (choice) => {
      const version = await versionWith(choice);
      await waitUntilReady(version);
      return promote(version);
    },
    rollback: async () => {
      const { version: current } = await live();
      const versions = await calls.listVersions(waiting);
      const before = versions.filter(({ version, status }) => version < Number(current) && status === "READY");
      if (before.length === 0)
        throw new DeployError(
          `Version ${current} is live, and no version before it is ready. Deploy the image that you want by --digest.`,
        );
      return promote(String(Math.max(...before.map(({ version }) => version))));
    },
  };
}

/** Waits a moment when somebody else changes the same thing; throws every other error. */
async function waitForOther(error: unknown, { clock, deadline, say }: Waiting): Promise<void> {
  if (!(error instanceof Error) || error.name !== "ConflictException") throw error;
  if (clock.now() + 5_000 > deadline)
    throw new DeployError("Another deploy was under way for the whole time that --timeout gives. Try again later.");
  say("Another deploy is under way. Waiting for its end.");
  await clock.sleep(5_000);
}
