import { Refusal } from "./start-control-plane.ts";

type Body = Readonly<Record<string, unknown>>;

interface Deployment {
  readonly id: string;
  readonly taskDefinition: string;
  readonly course: "ends well" | "never ends" | "fails";
  status: "PRIMARY" | "ACTIVE";
  rolloutState: "COMPLETED" | "IN_PROGRESS" | "FAILED";
  rolloutStateReason: string;
  reads: number;
}

const family = "crosszone-verification";
const arnOf = (kind: string, name: string): string => `arn:aws:ecs:eu-central-1:123456789012:${kind}/${name}`;
const taskArn = (revision: number): string => arnOf("task-definition", `${family}:${revision}`);
const readsToEnd = 2;

/** Members of `RegisterTaskDefinition` by the service's model. Anything else is refused, so that a copy is seen to be clean. */
const registered = new Set(
  `family taskRoleArn executionRoleArn networkMode containerDefinitions volumes placementConstraints requiresCompatibilities cpu memory
  tags pidMode ipcMode proxyConfiguration inferenceAccelerators ephemeralStorage runtimePlatform enableFaultInjection
  trustedExecutionConfiguration`.split(/\s+/),
);

const clientError = (message: string, kind = "ClientException"): Refusal => new Refusal(400, kind, { message });

/** The service `crosszone/verification` of ECS and its task definitions, with the circuit breaker on. */
export class FakeService {
  /** Settings of each revision, first revision first. */
  readonly tasks: Body[];
  /** How the next deployments go; after those, all end well. */
  readonly next: Deployment["course"][] = [];
  /** What is deployed, newest first. */
  deployments: Deployment[] = [];
  /** Revisions whose deployment succeeded, newest first. */
  readonly succeeded: string[] = [taskArn(1)];

  constructor(task: Body) {
    this.tasks = [task];
    this.#deploy(taskArn(1), "ends well").rolloutState = "COMPLETED";
  }

  describeServices({ cluster, services }: Body): unknown {
    const [service] = services as string[];
    if (cluster !== "crosszone") throw clientError("Cluster not found.", "ClusterNotFoundException");
    if (service !== "verification") return { services: [], failures: [{ arn: service, reason: "MISSING" }] };
    this.#goOn();
    return { services: [this.#describe()], failures: [] };
  }

  updateService({ cluster, service, taskDefinition, ...rest }: Body): unknown {
    if (cluster !== "crosszone" || service !== "verification")
      throw clientError("Service not found.", "ServiceNotFoundException");
    if (Object.keys(rest).length > 0) throw clientError(`not expected here: ${Object.keys(rest).join(", ")}`);
    this.#taskOf(String(taskDefinition));
    this.#deploy(String(taskDefinition), this.next.shift() ?? "ends well");
    return { service: this.#describe() };
  }

  describeTask({ taskDefinition, include }: Body): unknown {
    const { tags, ...task } = this.#taskOf(String(taskDefinition));
    const revision = Number(String(taskDefinition).split(":").at(-1));
    const output = { taskDefinitionArn: taskArn(revision), revision, status: "ACTIVE", registeredAt: 1.7e9 };
    const moreOutput = {
      registeredBy: "arn:aws:iam::123456789012:root",
      requiresAttributes: [],
      compatibilities: ["FARGATE"],
    };
    return { taskDefinition: { ...task, ...output, ...moreOutput }, ...(Array.isArray(include) && { tags }) };
  }

  register(task: Body): unknown {
    const { containerDefinitions, tags = [] } = task as { containerDefinitions?: Body[]; tags?: { key: string }[] };
    const unknown = Object.keys(task).filter((name) => !registered.has(name) && !name.startsWith("new"));
    if (unknown.length > 0) throw clientError(`Unknown members: ${unknown.join(", ")}`);
    if (task["family"] !== family || !containerDefinitions?.length)
      throw clientError("Container list cannot be empty.");
    if (tags.some(({ key }) => key.startsWith("aws:")))
      throw clientError("aws: is reserved", "InvalidParameterException");
    this.tasks.push(task);
    return { taskDefinition: { ...task, taskDefinitionArn: taskArn(this.tasks.length) } };
  }

  listDeployments({ status }: Body): unknown {
    if (JSON.stringify(status) !== '["SUCCESSFUL"]') throw clientError("this test has only deployments that succeeded");
    const targetOf = (arn: string) => arnOf("service-revision", `crosszone/verification/${arn.split(":").at(-1)}`);
    return {
      serviceDeployments: this.succeeded.map((arn) => ({
        status: "SUCCESSFUL",
        targetServiceRevisionArn: targetOf(arn),
      })),
    };
  }

  describeRevisions({ serviceRevisionArns }: Body): unknown {
    const revisions = (serviceRevisionArns as string[]).map((arn) => Number(arn.split("/").at(-1)));
    return { serviceRevisions: revisions.map((revision) => ({ taskDefinition: taskArn(revision) })), failures: [] };
  }

  #taskOf(arn: string): Body {
    const task = this.tasks[Number(arn.split(":").at(-1)) - 1];
    if (task === undefined || !arn.startsWith(taskArn(0).slice(0, -1)))
      throw clientError("Unable to describe task definition.");
    return task;
  }

  #deploy(taskDefinition: string, course: Deployment["course"]): Deployment {
    for (const deployment of this.deployments) deployment.status = "ACTIVE";
    const id = `ecs-svc/${this.deployments.length + 1}-${taskDefinition.split(":").at(-1)}`;
    const begun = { status: "PRIMARY", rolloutState: "IN_PROGRESS", rolloutStateReason: "in progress" } as const;
    const deployment: Deployment = { id, taskDefinition, course, ...begun, reads: 0 };
    this.deployments.unshift(deployment);
    return deployment;
  }

  /** Each read advances the time. A failed deployment is followed by one of the previous version. */
  #goOn(): void {
    const [primary] = this.deployments;
    if (primary?.rolloutState !== "IN_PROGRESS" || primary.course === "never ends" || ++primary.reads < readsToEnd)
      return;
    if (primary.course === "ends well") {
      primary.rolloutState = "COMPLETED";
      this.deployments = [primary];
      this.succeeded.unshift(primary.taskDefinition);
      return;
    }
    primary.rolloutState = "FAILED";
    primary.rolloutStateReason = "ECS deployment circuit breaker: tasks failed to start.";
    this.#deploy(this.succeeded[0] ?? "", "ends well");
  }

  #describe(): Body {
    const counts = { desiredCount: 2, runningCount: 1, pendingCount: 1, failedTasks: 0 };
    const deployments = this.deployments.map(({ id, status, taskDefinition, rolloutState, rolloutStateReason }) => ({
      id,
      status,
      taskDefinition,
      rolloutState,
      rolloutStateReason,
      ...counts,
    }));
    const { taskDefinition } = deployments[0] ?? {};
    return { serviceName: "verification", status: "ACTIVE", taskDefinition, deployments };
  }
}
