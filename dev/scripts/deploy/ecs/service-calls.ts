import {
  type Deployment,
  DescribeServiceRevisionsCommand,
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  type ECSClient,
  ListServiceDeploymentsCommand,
  RegisterTaskDefinitionCommand,
  type Service,
  type Tag,
  UpdateServiceCommand,
} from "@aws-sdk/client-ecs";
import { DeployError } from "../deploy-error.ts";
import { type Waiting, retryBusy } from "../wait-until.ts";
import { type Json, keepJson, sendJson, without } from "../raw-json.ts";

/** The container of the task definition that is deployed. Other containers are not changed. */
const containerName = "verification";

export interface TaskVersion {
  readonly arn: string;
  /** Family and revision. */
  readonly version: string;
  readonly image: string;
  /** The task definition and its tags, as the service tells them. */
  readonly json: Json;
}

/** What `DescribeTaskDefinition` tells and `RegisterTaskDefinition` does not take. */
const outputOnly = new Set([
  "compatibilities",
  "deleteRequestedAt",
  "deregisteredAt",
  "registeredAt",
  "registeredBy",
  "requiresAttributes",
  "revision",
  "status",
  "taskDefinitionArn",
]);

/** The calls of ECS that a deploy needs, for one service. */
export class ServiceCalls {
  readonly #client: ECSClient;
  readonly #where: { readonly cluster: string; readonly service: string };

  constructor(client: ECSClient, where: { readonly cluster: string; readonly service: string }) {
    this.#client = client;
    this.#where = where;
  }

  /** The service. Throws a `DeployError` when there is none. */
  async readService(): Promise<Service> {
    const { cluster, service } = this.#where;
    const { services = [] } = await this.#client.send(new DescribeServicesCommand({ cluster, services: [service] }));
    const [found] = services;
    if (found?.status !== "ACTIVE")
      throw new DeployError(
        `The cluster ${cluster} has no service ${service}. Deploy the stack CrosszoneVerification first (deploy/aws/README.md), or name the service by --service cluster/service.`,
      );
    return found;
  }

  async readTask(taskDefinition: string): Promise<TaskVersion> {
    const command = new DescribeTaskDefinitionCommand({ taskDefinition, include: ["TAGS"] });
    const kept = keepJson(command);
    const { taskDefinition: found } = await this.#client.send(command);
    const { taskDefinition: json, tags = [] } = kept() as { readonly taskDefinition: Json; readonly tags?: Tag[] };
    // Only CloudFormation can set its own tags.
    const ownTags = tags.filter(({ key = "" }) => !key.startsWith("aws:"));
    const image = found?.containerDefinitions?.find(({ name }) => name === containerName)?.image;
    if (image === undefined)
      throw new DeployError(`${taskDefinition} has no container named ${containerName}: this is another service.`);
    const arn = found?.taskDefinitionArn ?? taskDefinition;
    return {
      arn,
      version: nameOf(arn),
      image,
      json: { ...json, ...(ownTags.length > 0 && { tags: ownTags }) },
    };
  }

  /** Registers a copy with another image. Returns its ARN. */
  async addTask(base: TaskVersion, image: string, waiting: Waiting): Promise<string> {
    const containers = base.json["containerDefinitions"] as readonly Json[];
    const containerDefinitions = containers.map((one) => (one["name"] === containerName ? { ...one, image } : one));
    const body = { ...without(base.json, outputOnly), containerDefinitions };
    const { taskDefinition } = await retryBusy(() => {
      const command = new RegisterTaskDefinitionCommand({
        family: String(base.json["family"]),
        containerDefinitions: [],
      });
      sendJson(command, body);
      return this.#client.send(command);
    }, waiting);
    return taskDefinition?.taskDefinitionArn ?? "";
  }

  /** Starts a deployment of a task definition. Returns its id. */
  async startDeployment(taskDefinition: string, waiting: Waiting): Promise<string> {
    const input = { ...this.#where, taskDefinition };
    const { service } = await retryBusy(() => this.#client.send(new UpdateServiceCommand(input)), waiting);
    return primary(service)?.id ?? "";
  }

  /** ARNs of the task definitions of the deployments that succeeded, newest first. */
  async listSucceeded(waiting: Waiting): Promise<string[]> {
    const input = { ...this.#where, status: ["SUCCESSFUL" as const], maxResults: 20 };
    const command = new ListServiceDeploymentsCommand(input);
    const { serviceDeployments = [] } = await retryBusy(() => this.#client.send(command), waiting);
    const serviceRevisionArns = serviceDeployments.flatMap(
      ({ targetServiceRevisionArn }) => targetServiceRevisionArn ?? [],
    );
    if (serviceRevisionArns.length === 0) return [];
    const revisions = new DescribeServiceRevisionsCommand({ serviceRevisionArns });
    const { serviceRevisions = [] } = await retryBusy(() => this.#client.send(revisions), waiting);
    return serviceRevisions.flatMap(({ taskDefinition }) => taskDefinition ?? []);
  }
}

/** Family and revision of a task definition. */
export const nameOf = (arn: string): string => arn.split("/").at(-1) ?? arn;
export const revisionOf = (arn: string): number => Number(arn.split(":").at(-1));

/** The deployment that a service is on its way to, or at. */
export const primary = (service: Service | undefined): Deployment | undefined =>
  service?.deployments?.find(({ status }) => status === "PRIMARY");
