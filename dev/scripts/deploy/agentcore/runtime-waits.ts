import { DeployError, type Waiting, waitUntil } from "../wait-until.ts";
import { endpointName, type RuntimeCalls, type RuntimeVersion } from "./runtime-calls.ts";

/** A runtime of AgentCore, and how long a deploy waits for it. */
export interface WatchedRuntime {
  readonly calls: RuntimeCalls;
  readonly waiting: Waiting;
}

const underWay = new Set(["CREATING", "UPDATING"]);

/** Returns the newest version, once no update of the runtime is under way. */
export const newestVersion = ({ calls, waiting }: WatchedRuntime): Promise<RuntimeVersion> =>
  waitUntil(
    {
      read: () => calls.readVersion(),
      isDone: ({ status }) => !underWay.has(status),
      state: ({ version, status }) => `Version ${version} of the runtime is ${status}.`,
    },
    waiting,
  );

/** Returns the version that the endpoint points to, once no move of it is under way. */
export const movedEndpoint = ({ calls, waiting }: WatchedRuntime): ReturnType<RuntimeCalls["readEndpoint"]> =>
  waitUntil(
    {
      read: () => calls.readEndpoint(),
      isDone: ({ status = "" }) => !underWay.has(status),
      state: ({ status, targetVersion }) => `The endpoint ${endpointName} is ${status} to version ${targetVersion}.`,
    },
    waiting,
  );

/** Waits until a version is ready. Throws a `DeployError` if it fails. */
export async function waitUntilReady({ calls, waiting }: WatchedRuntime, version: string): Promise<void> {
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

/** Retries a change while another deploy changes the same runtime. Throws every other error. */
export async function unlessBusy<Result>(waiting: Waiting, change: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "ConflictException") throw error;
      await waitForOther(waiting);
    }
  }
}

async function waitForOther({ clock, deadline, say }: Waiting): Promise<void> {
  if (clock.now() + 5_000 > deadline)
    throw new DeployError("Another deploy was under way for the whole time that --timeout gives. Try again later.");
  say("Another deploy is under way. Waiting for its end.");
  await clock.sleep(5_000);
}
