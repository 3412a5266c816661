import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { deployProblems, type Job, type Workflow } from "./workflows.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (file: string): Workflow => parse(readFileSync(resolve(root, file), "utf8")) as Workflow;
const workflows = globSync(".github/workflows/*.yml", { cwd: root });
const actions = globSync(".github/actions/*/action.yml", { cwd: root });
const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const ownCommands = new Set(["exec", "install", "sbom"]);
const deploy = read(".github/workflows/deploy.yml");

test.each([...workflows, ...actions])("%s: the scripts that it runs exist", (file) => {
  const text = readFileSync(resolve(root, file), "utf8");
  const called = [...text.matchAll(/run: .*?\bpnpm (?:--silent )?(?:run )?([a-z][\w:-]*)/g)].map(
    ([, name = ""]) => name,
  );
  expect(called.filter((name) => !Object.hasOwn(scripts, name) && !ownCommands.has(name))).toEqual([]);
});

test.each([
  ["check", { pull_request: null, push: { branches: ["main"] } }],
  ["nightly", { schedule: [{ cron: "17 3 * * *" }], workflow_dispatch: null }],
])("%s gets no secret, no role and no write permission", (name, events) => {
  const { jobs = {}, on } = read(`.github/workflows/${name}.yml`);
  expect(on).toEqual(events);
  for (const { permissions } of Object.values(jobs)) expect([{}, { contents: "read" }]).toContainEqual(permissions);
  expect(readFileSync(resolve(root, `.github/workflows/${name}.yml`), "utf8")).not.toMatch(/secrets\.|vars\./);
});

test("each app is deployed by its own job, environment and role; execution first, and only what this workflow built", () => {
  expect(deployProblems(deploy)).toEqual([]);
});

test("images are built with the whole history: their label, and so their digest, is of the commit that changed them last", () => {
  const [checkout] = deploy.jobs?.["image"]?.steps ?? [];
  expect(checkout?.with).toMatchObject({ "fetch-depth": 0 });
});

test("packages are published in a protected environment, without a stored token", () => {
  const { jobs = {} } = read(".github/workflows/release.yml");
  const withId = Object.entries(jobs).filter(([, { permissions }]) => permissions?.["id-token"] === "write");
  expect(withId.map(([name, { environment }]) => [name, environment])).toEqual([["publish", "npm"]]);
  expect(readFileSync(resolve(root, ".github/workflows/release.yml"), "utf8")).not.toMatch(/secrets\.|NPM_TOKEN/);
});

const { jobs: deployJobs = {} } = deploy;
const { "deploy-execution": execution, "deploy-verification": verification, image } = deployJobs as Record<string, Job>;
const withJobs = (jobs: Record<string, unknown>): Workflow => ({
  ...deploy,
  jobs: { ...deployJobs, ...jobs } as Record<string, Job>,
});

test.each([
  ["both apps have one environment", { "deploy-verification": { ...verification, environment: "execution" } }],
  [
    "both apps have one concurrency group",
    { "deploy-verification": { ...verification, concurrency: execution?.concurrency } },
  ],
  ["verification doesn't wait for execution", { "deploy-verification": { ...verification, needs: "image" } }],
  ["image takes a role of the cloud", { image: { ...image, steps: [{ with: { "role-to-assume": "x" } }] } }],
  [
    "execution: its job deploys verification",
    {
      "deploy-execution": {
        ...execution,
        steps: [...(execution?.steps ?? []), { uses: "aws-actions/amazon-ecs-deploy-task-definition@x" }],
      },
    },
  ],
  [
    "execution: it is deployed although it is live",
    { "deploy-execution": { ...execution, steps: execution?.steps.map((step) => ({ ...step, if: "always()" })) } },
  ],
  [
    "execution: expected live digest, attestation, deploy, doctor and rollback in this order",
    { "deploy-execution": { ...execution, steps: execution?.steps.toReversed() } },
  ],
])("a deploy that is wrong is found: %s", (wrong, jobs) => {
  expect(deployProblems(withJobs(jobs))).toContain(wrong);
});
