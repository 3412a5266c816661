import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { loadExecutionConfig } from "../../../apps/execution/src/zone/config/config.ts";
import { executionConfig } from "../../../apps/execution/src/zone/config/variables.ts";
import { loadVerificationConfig, verificationConfig } from "../../../apps/verification/src/zone/config.ts";
import type { ConfigDefinition } from "../../../packages/service-kit/src/config/definition.ts";
import { hardeningProblems, imageProblems, secretProblems, workloadsOf, type Workload } from "./pods.ts";
import { parseResources, readResources, type Resource } from "./resources.ts";
import { wallProblems } from "./wall.ts";

const folder = resolve(import.meta.dirname, "../../../deploy");
const overlays = ["one-process", "roles"];
const kubernetes = readResources("deploy/kubernetes");
const cloudRun = readResources("deploy/cloud-run");
const text = (file: string): string => readFileSync(resolve(folder, file), "utf8");
const configs: Record<Workload["zone"], ConfigDefinition> = {
  verification: verificationConfig,
  execution: executionConfig,
};

const isSecret = (zone: Workload["zone"], name: string): boolean => {
  const entry = configs[zone][name];
  return entry !== undefined && "secret" in entry && entry.secret === true;
};

/** A placeholder for each secret. */
const secrets: Record<string, string> = {
  SLACK_BOT_TOKEN: "xoxb-not-used-here",
  SLACK_SIGNING_SECRET: "not-used-here-but-it-has-to-be-long",
  DATABASE_URL: "postgresql://zone:secret@database.example.com/zone?sslmode=verify-full",
  DATA_KEYS: `2026:${Buffer.alloc(32, 7).toString("base64")}`,
  ADMIN_TOKENS: "not-used-here-but-it-has-to-be-long",
};

const environmentOf = ({ variables }: Workload, file?: string): Record<string, string | undefined> => ({
  ...(file !== undefined && parseEnv(text(file))),
  ...Object.fromEntries(variables.map(({ name, value }) => [name, value ?? secrets[name]])),
});

const load = ({ zone }: Workload, env: Record<string, string | undefined>) =>
  zone === "execution" ? loadExecutionConfig(env) : loadVerificationConfig(env);

const rows = [
  ...workloadsOf(cloudRun).map((workload) => ({
    name: `cloud-run/${workload.name}`,
    workload,
    env: environmentOf(workload),
  })),
  ...overlays.flatMap((overlay) =>
    workloadsOf(kubernetes).map((workload) => ({
      name: `${overlay}/${workload.name}`,
      workload,
      env: environmentOf(workload, `kubernetes/overlays/${overlay}/${workload.zone}.env`),
    })),
  ),
];

test.each(rows)("$name: the zone starts with these variables, and knows each of them", ({ workload, env }) => {
  const known = configs[workload.zone];
  expect(Object.keys(env).filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  expect(load(workload, env).warnings).toEqual([]);
});

test.each(rows)("$name: every secret is a reference", ({ workload }) => {
  const inClear = workload.variables.filter(({ name, value }) => isSecret(workload.zone, name) && value !== undefined);
  expect(inClear).toEqual([]);
});

test.each(overlays)(
  "%s: no secret is in a file of settings, and none of Slack's settings in execution's",
  (overlay) => {
    const settings = (zone: Workload["zone"]) =>
      Object.keys(parseEnv(text(`kubernetes/overlays/${overlay}/${zone}.env`)));
    const secret = (zone: Workload["zone"]) => settings(zone).filter((name) => isSecret(zone, name));
    expect([...secret("verification"), ...secret("execution")]).toEqual([]);
    expect(settings("execution").filter((name) => name.startsWith("SLACK_"))).toEqual([]);
  },
);

test("no manifest holds a secret, and every overlay pins both images by digest", () => {
  expect([...kubernetes, ...cloudRun].filter(({ kind }) => kind === "Secret")).toEqual([]);
  for (const overlay of overlays)
    expect(
      text(`kubernetes/overlays/${overlay}/kustomization.yaml`).match(/digest: sha256:[0-9a-f]{64}$/gm),
    ).toHaveLength(2);
  expect(workloadsOf(cloudRun).flatMap(imageProblems)).toEqual([]);
});

test("O8: the component for OpenShift removes the user and the groups of every Deployment, which name all three", () => {
  const component = text("kubernetes/components/openshift/kustomization.yaml");
  const removed = [...component.matchAll(/remove, path: \/spec\/template\/spec\/securityContext\/(\w+)/g)];
  const names = removed.map(([, name = ""]) => name);
  expect(names).toEqual(["runAsUser", "runAsGroup", "fsGroup"]);
  for (const { pod } of workloadsOf(kubernetes))
    expect(pod.securityContext).toMatchObject(Object.fromEntries(names.map((name) => [name, 65_532])));
});

test("the policies are a wall: execution reaches no public address, and lets in verification, and programs at their port", () => {
  expect(kubernetes.filter(({ kind }) => kind === "NetworkPolicy").length).toBeGreaterThan(8);
  expect(wallProblems(kubernetes)).toEqual([]);
});

const policy = (zone: string, spec: string): Resource[] =>
  parseResources(`{kind: NetworkPolicy, metadata: {name: planted, namespace: crosszone-${zone}}, spec: ${spec}}`);

test("Q40: browsers get to the console, its API and the sign-in alone, and Prometheus to the port of each zone", () => {
  const [console = ""] = text("kubernetes/components/console/console.yaml")
    .split("---\n")
    .filter((part) => part.includes("kind: Ingress"));
  expect([...console.matchAll(/path: (\S+),/g)].map(([, path]) => path)).toEqual(["/console", "/api", "/auth"]);
  expect(console.match(/service: \{ name: execution, port: \{ name: rpc \} \}/g)).toHaveLength(3);
  // The zone speaks TLS inside of the cluster too.
  expect(console).toContain("backend-protocol: HTTPS");
  const ways = kubernetes.flatMap(({ metadata: { name, namespace }, spec }) =>
    /^from-(browsers|prometheus)$/.test(name)
      ? [
          [
            name,
            namespace,
            spec.ingress?.[0]?.from?.[0]?.namespaceSelector?.matchLabels,
            spec.ingress?.[0]?.ports?.[0]?.port,
          ],
        ]
      : [],
  );
  expect(ways.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    ["from-browsers", "crosszone-execution", { "crosszone.dev/ingress": "true" }, 4_000],
    ["from-prometheus", "crosszone-execution", { "crosszone.dev/metrics": "true" }, 4_000],
    ["from-prometheus", "crosszone-verification", { "crosszone.dev/metrics": "true" }, 3_000],
  ]);
});

test.each([
  ["execution", "{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]}", "lets execution reach 0.0.0.0/0"],
  ["execution", "{egress: [{ports: [{port: 443}]}]}", "lets execution reach 0.0.0.0/0"],
  ["execution", "{egress: [{to: [{ipBlock: {cidr: 3.0.0.0/8}}]}]}", "lets execution reach 3.0.0.0/8"],
  ["execution", "{egress: [{to: [{ipBlock: {cidr: '::/0'}}]}]}", "lets execution reach ::/0"],
  ["execution", "{egress: [{to: [{namespaceSelector: {}}]}]}", "lets execution reach every namespace"],
  ["execution", "{ingress: [{}]}", "lets others than verification in"],
  ["execution", "{ingress: [{from: [{namespaceSelector: {}}]}]}", "lets others than verification in"],
  [
    "execution",
    "{ingress: [{from: [{namespaceSelector: {matchLabels: {crosszone.dev/programs: 'true'}}}], ports: [{port: 4000}]}]}",
    "lets others than verification in",
  ],
  [
    "execution",
    "{ingress: [{from: [{namespaceSelector: {}}], ports: [{port: 4100}]}]}",
    "lets others than verification in",
  ],
  [
    "execution",
    "{ingress: [{from: [{namespaceSelector: {matchLabels: {crosszone.dev/ingress: 'true'}}}]}]}",
    "lets others than verification in",
  ],
  ["verification", "{ingress: [{}]}", "lets others than the ingress in"],
  [
    "verification",
    "{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}], ports: [{port: 443}]}]}",
    "lets verification reach 169.254.0.0/16",
  ],
])("a hole in the wall is found: %s %s", (zone, spec, wrong) => {
  expect(wallProblems([...kubernetes, ...policy(zone, spec)])).toContain(`crosszone-${zone}/planted: ${wrong}`);
});

test("a zone without a policy that denies everything is found", () => {
  expect(wallProblems(kubernetes.filter(({ metadata }) => metadata.name !== "deny-all"))).toHaveLength(2);
});

test.each([
  ["kubernetes", kubernetes],
  ["cloud-run", cloudRun],
])("%s: each zone reads its own secrets only", (...[, resources]) => {
  const workloads = workloadsOf(resources);
  expect(new Set(workloads.map(({ zone }) => zone)).size).toBe(2);
  // In Kubernetes a pod reads secrets of its own namespace only.
  const names = workloads.map(({ zone, secrets: own, ...more }) => ({
    ...more,
    zone,
    secrets: resources === kubernetes ? own.map((name) => `crosszone-${zone}/${name}`) : own,
  }));
  expect(secretProblems(names)).toEqual([]);
  const [verification, execution] = ["verification", "execution"].map((zone) =>
    workloads.find((one) => one.zone === zone),
  );
  expect(verification?.pod.serviceAccountName).not.toBe(execution?.pod.serviceAccountName);
  expect(execution?.secrets.filter((name) => verification?.secrets.includes(name))).toEqual([]);
});

test("a token of Slack in execution is found, and a secret that both zones read", () => {
  const reading = workloadsOf(cloudRun).map((one) => ({
    ...one,
    variables: [...one.variables, { name: "SLACK_BOT_TOKEN" }],
    secrets: [...one.secrets, "shared"],
  }));
  expect(secretProblems(reading)).toEqual([
    "both zones read the secret shared",
    "crosszone-execution reads SLACK_BOT_TOKEN",
  ]);
});

test.each(workloadsOf(kubernetes))(
  "$name: its pods may do no more than they need, and have time to stop",
  (workload) => {
    expect(hardeningProblems(workload)).toEqual([]);
    expect(hardeningProblems({ ...workload, pod: { containers: [{ image: "x", securityContext: {} }] } })).toHaveLength(
      7,
    );
    const { STOP_GRACE_MS: graceMs } = load(
      workload,
      environmentOf(workload, `kubernetes/overlays/roles/${workload.zone}.env`),
    ).values;
    const [container] = workload.pod.containers;
    const preStop = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
    // Execution takes the longer time to close what is open: 16 seconds.
    expect(workload.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + graceMs / 1000 + 16);
  },
);

test("execution is called only inside, and verification's probes stay inside", () => {
  const [execution, verification] = ["execution", "verification"].map((zone) =>
    cloudRun.find(({ metadata }) => metadata.name.endsWith(zone)),
  );
  const ingress = "run.googleapis.com/ingress";
  expect([execution?.metadata.annotations?.[ingress], verification?.metadata.annotations?.[ingress]]).toEqual([
    "internal",
    "all",
  ]);
  const paths = [...text("kubernetes/base/verification/ingress.yaml").matchAll(/path: (\S+)/g)].map(([, path]) => path);
  expect(paths).toEqual(["/slack"]);
  expect(existsSync(resolve(folder, "kubernetes/base/execution/ingress.yaml"))).toBe(false);
});
