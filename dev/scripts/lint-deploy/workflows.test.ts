import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { deployProblems, jobProblems, stepProblems, type Job, type Workflow } from "./workflows.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (file: string): Workflow => parse(readFileSync(resolve(root, file), "utf8")) as Workflow;
const workflows = globSync(".github/workflows/*.yml", { cwd: root });
const actions = globSync(".github/actions/*/action.yml", { cwd: root });
const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const deploy = read(".github/workflows/deploy.yml");

test("checks, deploys and releases have one workflow each", () => {
  expect(new Set(workflows.map((file) => basename(file)))).toEqual(new Set(["check.yml", "deploy.yml", "release.yml"]));
});

test.each([...workflows, ...actions])(
  "%s: actions are pinned by commit, steps are one line, and their scripts exist",
  (file) => {
    expect(stepProblems(read(file), Object.keys(scripts))).toEqual([]);
    // The version is next to each commit, for people and for update tools.
    const pins = readFileSync(resolve(root, file), "utf8")
      .split("\n")
      .filter((line) => /uses: [^.]/.test(line));
    expect(pins.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  },
);

test.each(workflows)("%s: each job declares its permissions and its time limit", (file) => {
  expect(jobProblems(read(file))).toEqual([]);
});

test("a pull request gets no secret, no role and no write permission", () => {
  const { jobs = {}, on } = read(".github/workflows/check.yml");
  expect(on).toEqual({ pull_request: null });
  expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([{ contents: "read" }]);
  expect(readFileSync(resolve(root, ".github/workflows/check.yml"), "utf8")).not.toMatch(/secrets\.|vars\./);
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
        steps: [...(execution?.steps ?? []), { run: "pnpm deploy:aws verification --rollback" }],
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

test.each([
  [
    "actions/checkout@v7 isn't pinned by commit",
    { uses: "actions/checkout@v7", with: { "persist-credentials": false } },
  ],
  ["a checkout leaves its token in the folder", { uses: `actions/checkout@${"0".repeat(40)}` }],
  ["package.json has no script launch", { run: "pnpm launch" }],
  ["an expression is part of a command: echo ${{ matrix.app }}", { run: "echo ${{ matrix.app }}" }],
])("a step that is wrong is found: %s", (wrong, step) => {
  expect(stepProblems({ runs: { steps: [step] } }, ["build"])).toEqual([wrong]);
});

test("a job without permissions or a time limit is found, and a trigger that strangers can use", () => {
  expect(jobProblems({ on: { pull_request_target: null }, jobs: { open: { steps: [] } } })).toHaveLength(4);
});
