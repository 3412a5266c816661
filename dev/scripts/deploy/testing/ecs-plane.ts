import { FakeService } from "./fake-service.ts";
import { type ControlPlane, type PlaneRequest, startControlPlane } from "./start-control-plane.ts";

/** Plays ECS for one service, by awsJson1_1. */
export async function startEcsPlane(
  task: Readonly<Record<string, unknown>>,
): Promise<{ readonly plane: ControlPlane; readonly service: FakeService }> {
  const service = new FakeService(task);
  const answers: Readonly<Record<string, (request: PlaneRequest) => unknown>> = {
    DescribeServices: ({ body }) => service.describeServices(body),
    UpdateService: ({ body }) => service.updateService(body),
    DescribeTaskDefinition: ({ body }) => service.describeTask(body),
    RegisterTaskDefinition: ({ body }) => service.register(body),
    ListServiceDeployments: ({ body }) => service.listDeployments(body),
    DescribeServiceRevisions: ({ body }) => service.describeRevisions(body),
  };
  const plane = await startControlPlane({
    service: "ecs",
    operationOf: ({ method, path, target }) =>
      method === "POST" && path === "/" ? /^AmazonEC2ContainerServiceV20141113\.(\w+)$/.exec(target)?.[1] : undefined,
    answer: (operation, request) => answers[operation]?.(request),
  });
  return { plane, service };
}
