import { ECSClient, type Service } from "@aws-sdk/client-ecs";
import { DeployError, UsageError } from "../deploy-error.ts";
import { type Waiting, retryBusy, waitUntil } from "../wait-until.ts";
import { digestOf, imageUri, type LiveVersion, type Platform } from "../platform.ts";
import { nameOf, primary, revisionOf, ServiceCalls } from "./service-calls.ts";

/** The verification zone as a service of ECS. Its circuit breaker rolls back a deployment that does not become healthy. */
export function createEcsPlatform(clusterAndService: string, waiting: Waiting): Platform {
  const [cluster = "", service = "", ...rest] = clusterAndService.split("/");
  if (cluster === "" || service === "" || rest.length > 0)
    throw new UsageError(`Expected a cluster and a service as "crosszone/verification", got "${clusterAndService}".`);
  const calls = new ServiceCalls(new ECSClient({ maxAttempts: 1 }), { cluster, service });

  /** The service, once no deployment of it is under way. */
  const settledService = (): Promise<Service> =>
    waitUntil(
      {
        read: () => calls.readService(),
        isDone: (found) => primary(found)?.rolloutState !== "IN_PROGRESS",
        state: (found) => `A deployment of ${nameOf(primary(found)?.taskDefinition ?? "")} is under way.`,
      },
      waiting,
    );

  const liveTask = async () => {
    const { taskDefinition = "" } = await settledService();
    return retryBusy(() => calls.readTask(taskDefinition), waiting);
  };

  async function live(): Promise<LiveVersion> {
    const { version, image } = await liveTask();
    return { version, image, digest: digestOf(image) };
  }

  /** Deploys a task definition and waits until all its tasks are healthy and the old ones are gone. */
  async function roll(arn: string): Promise<LiveVersion> {
    const version = nameOf(arn);
    const id = await calls.startDeployment(arn, waiting);
    waiting.say(`Deploying ${version}.`);
    const ended = await waitUntil(
      {
        read: async () => deploymentIn(await calls.readService(), id),
        isDone: ({ rolloutState }) => rolloutState !== "IN_PROGRESS",
        state: ({ runningCount, desiredCount }) => `${version}: ${runningCount} of ${desiredCount} tasks run.`,
      },
      waiting,
    );
    if (ended.rolloutState !== "COMPLETED")
      throw new DeployError(
        `${version} did not become healthy: ${ended.rolloutStateReason ?? "AWS gives no reason"}. ECS takes the service back to the version before. The log group /crosszone/verification says why the tasks stopped.`,
      );
    const now = await live();
    if (now.version !== version) throw new DeployError(`${now.version} is live instead of ${version}.`);
    return now;
  }

  return {
    live,
    deploy: async (choice) => {
      const base = await liveTask();
      return roll(await calls.addTask(base, imageUri(choice, base.image), waiting));
    },
    rollback: async () => {
      const { arn, version } = await liveTask();
      const succeeded = await calls.listSucceeded(waiting);
      const before = succeeded.find((one) => revisionOf(one) < revisionOf(arn));
      if (before === undefined)
        throw new DeployError(
          `${version} is live, and no deployment before it succeeded. Deploy the image that you want by --digest.`,
        );
      return roll(before);
    },
  };
}

/** Returns a deployment by its id. A missing one was replaced: by the circuit breaker, or by another deploy. */
function deploymentIn({ deployments = [] }: Service, id: string) {
  return (
    deployments.find((deployment) => deployment.id === id) ?? {
      rolloutState: "FAILED" as const,
      rolloutStateReason: "another deployment took its place",
      runningCount: 0,
      desiredCount: 0,
    }
  );
}
