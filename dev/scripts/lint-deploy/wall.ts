import type { Peer, Resource, Rule } from "./resources.ts";

const verification = "crosszone-verification";
const execution = "crosszone-execution";
const privateRanges = ["10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"];

/** Where the network policies of both zones leave a hole in the wall. One sentence a hole; empty when there is none. */
export function wallProblems(resources: readonly Resource[]): string[] {
  const policies = resources.filter(({ kind }) => kind === "NetworkPolicy");
  const unguarded = [verification, execution].filter((zone) => !policies.some((policy) => deniesAll(policy, zone)));
  return [
    ...unguarded.map((zone) => `${zone}: no policy denies what the others don't allow`),
    ...policies.flatMap((policy) => policyProblems(policy)),
  ];
}

const deniesAll = ({ metadata, spec }: Resource, zone: string): boolean =>
  metadata.namespace === zone &&
  Object.keys(spec.podSelector ?? {}).length === 0 &&
  spec.policyTypes?.length === 2 &&
  spec.ingress === undefined &&
  spec.egress === undefined;

function policyProblems({ metadata: { name, namespace }, spec }: Resource): string[] {
  const peers = (rules: readonly Rule[] = [], side: "from" | "to"): Peer[] =>
    rules.flatMap((rule) => rule[side] ?? [{ ipBlock: { cidr: "0.0.0.0/0" } }]);
  const isExecution = namespace === execution;
  const ways = isExecution ? waysIntoExecution : waysIntoVerification;
  const others = (spec.ingress ?? []).filter((rule) => !ways.some(([label, port]) => isFrom(rule, label, port)));
  const wrong = [
    ...(isExecution
      ? peers(others, "from").flatMap((peer) => (isVerification(peer) ? [] : ["lets others than verification in"]))
      : []),
    ...(isExecution ? peers(spec.egress, "to").flatMap((peer) => executionEgressProblems(peer)) : []),
    ...(isExecution ? [] : peers(others, "from").map(() => "lets others than the ingress in")),
    ...(isExecution ? [] : (spec.egress ?? []).flatMap((rule) => verificationEgressProblems(rule))),
  ];
  return wrong.map((what) => `${namespace}/${name}: ${what}`);
}

const isVerification = ({ namespaceSelector, podSelector, ipBlock }: Peer): boolean =>
  ipBlock === undefined &&
  namespaceSelector?.matchLabels?.["kubernetes.io/metadata.name"] === verification &&
  podSelector?.matchLabels?.["app.kubernetes.io/name"] === verification;

/** Who comes in by the label of a namespace, and at which port: programs, browsers through the ingress controller, and Prometheus. */
const waysIntoExecution = [
  ["programs", 4_100],
  ["ingress", 4_000],
  ["metrics", 4_000],
] as const;
const waysIntoVerification = [
  ["ingress", 3_000],
  ["metrics", 3_000],
] as const;

const isFrom = ({ from = [], ports = [] }: Rule, label: string, port: number): boolean =>
  from.length > 0 &&
  from.every(
    ({ ipBlock, namespaceSelector }) =>
      ipBlock === undefined && namespaceSelector?.matchLabels?.[`crosszone.dev/${label}`] === "true",
  ) &&
  ports.length === 1 &&
  ports[0]?.port === port;

const isAnyNamespace = ({ namespaceSelector }: Peer): boolean =>
  namespaceSelector !== undefined && Object.keys(namespaceSelector.matchLabels ?? {}).length === 0;

/** Execution gets to known networks only: 65,536 addresses at most in one block, and no public /16 is Slack's alone. */
function executionEgressProblems(peer: Peer): string[] {
  const { ipBlock, namespaceSelector } = peer;
  const bits = Number(ipBlock?.cidr.split("/")[1] ?? 0);
  const isWide = ipBlock !== undefined && bits < (ipBlock.cidr.includes(":") ? 48 : 16);
  const isAcross = namespaceSelector?.matchLabels?.["kubernetes.io/metadata.name"] === verification;
  return [
    ...(isWide ? [`lets execution reach ${ipBlock.cidr}`] : []),
    ...(isAnyNamespace(peer) ? ["lets execution reach every namespace"] : []),
    ...(isAcross ? ["lets execution reach verification past the ingress"] : []),
  ];
}

function verificationEgressProblems({ to, ports = [] }: Rule): string[] {
  const wide = (to ?? [{ ipBlock: { cidr: "0.0.0.0/0" } }]).flatMap(({ ipBlock }) =>
    ipBlock?.cidr.endsWith("/0") ? [ipBlock] : [],
  );
  const isHttps = ports.length === 1 && ports[0]?.port === 443;
  const v4 = wide.filter(({ cidr }) => !cidr.includes(":"));
  const open = v4.flatMap(({ except = [] }) => privateRanges.filter((range) => !except.includes(range)));
  return [
    ...(wide.length > 0 && !isHttps ? ["lets verification reach the internet on other ports than 443"] : []),
    ...open.map((range) => `lets verification reach ${range}`),
    ...((to ?? []).some(isAnyNamespace) ? ["lets verification reach every namespace"] : []),
  ];
}
