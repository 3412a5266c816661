import type { Pod, Resource, Variable } from "./resources.ts";

/** A workload of a zone: a Deployment of Kubernetes, or a service of Cloud Run. */
export interface Workload {
  readonly zone: "verification" | "execution";
  readonly name: string;
  readonly pod: Pod;
  readonly variables: readonly Variable[];
  /** The secrets that its pods can read, by name. */
  readonly secrets: readonly string[];
}

/** The workloads among the resources. The image says the zone. */
export const workloadsOf = (resources: readonly Resource[]): Workload[] =>
  resources.flatMap(({ metadata, spec }) => {
    const pod = spec?.template?.spec;
    return pod === undefined ? [] : [workload(metadata.name, pod)];
  });

function workload(name: string, pod: Pod): Workload {
  const variables = pod.containers.flatMap(({ env = [] }) => env);
  const references = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
  const mounted = (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);
  const isVerification = pod.containers.some(({ image }) => image.includes("crosszone-verification"));
  const zone = isVerification ? "verification" : "execution";
  return { zone, name, pod, variables, secrets: [...new Set([...references, ...mounted])] };
}

/** Returns the places where a workload can read the other zone's secrets. */
export function secretProblems(workloads: readonly Workload[]): string[] {
  const secretsOf = (zone: Workload["zone"]): Set<string> =>
    new Set(workloads.filter((one) => one.zone === zone).flatMap(({ secrets }) => secrets));
  const shared = [...secretsOf("verification")].filter((name) => secretsOf("execution").has(name));
  const slack = workloads.flatMap(({ zone, name, variables }) =>
    zone === "verification"
      ? []
      : variables.filter((one) => one.name.startsWith("SLACK_")).map((one) => [name, one.name]),
  );
  return [
    ...shared.map((name) => `both zones read the secret ${name}`),
    ...slack.map(([name, variable]) => `${name} reads ${variable}`),
  ];
}

/** What a Deployment's pods may do beyond their work. */
export function hardeningProblems({ name, pod }: Workload): string[] {
  const expected: [unknown, string][] = [
    [pod.automountServiceAccountToken === false, "its pods get a token of the cluster"],
    [pod.enableServiceLinks === false, "Kubernetes sets variables of its services, such as EXECUTION_PORT"],
    [
      pod.securityContext?.["runAsNonRoot"] && pod.securityContext["runAsUser"] === 65_532,
      "it doesn't run as user 65532",
    ],
    [
      JSON.stringify(pod.securityContext?.["seccompProfile"]) === '{"type":"RuntimeDefault"}',
      "seccomp isn't RuntimeDefault",
    ],
    ...pod.containers.flatMap(({ securityContext = {} }): [unknown, string][] => [
      [securityContext["readOnlyRootFilesystem"], "its root file system is writable"],
      [securityContext["allowPrivilegeEscalation"] === false, "it may gain privileges"],
      [JSON.stringify(securityContext["capabilities"]) === '{"drop":["ALL"]}', "it keeps capabilities"],
    ]),
  ];
  return expected.flatMap(([holds, wrong]) => (holds ? [] : [`${name}: ${wrong}`]));
}

/** Images that a tag names could change after they were checked. */
export const imageProblems = ({ name, pod }: Workload): string[] =>
  pod.containers.flatMap(({ image }) =>
    /@sha256:[0-9a-f]{64}$/.test(image) ? [] : [`${name}: ${image} has no digest`],
  );
