import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { hardeningProblems, imageProblems, secretProblems, workloadsOf } from "./pods.ts";
import { parseResources } from "./resources.ts";
import { ProgramError, run } from "../run-program.ts";
import { goTool, pythonTools } from "./tools.ts";
import { wallProblems } from "./wall.ts";

const root = resolve(import.meta.dirname, "../../..");
const workflows = globSync(".github/workflows/*.yml", { cwd: root });
const overlays = globSync("deploy/kubernetes/overlays/*", { cwd: root });

export interface Check {
  readonly name: string;
  /** Returns the names of the checked files. Throws a `ProgramError` with the problems, or a `MissingToolError`. */
  readonly run: () => Promise<string>;
}

/** What `pnpm lint:deploy` runs. Tools are installed at the versions named here and in requirements.txt. */
export const checks: readonly Check[] = [
  { name: "actionlint", run: lintWorkflows },
  { name: "zizmor", run: auditWorkflows },
  { name: "kubernetes", run: validateOverlays },
  { name: "aws", run: checkTemplates },
];

async function lintWorkflows(): Promise<string> {
  const actionlint = await goTool("actionlint", "github.com/rhysd/actionlint/cmd/actionlint", "v1.7.12");
  await run(actionlint, ["-no-color", ...workflows], { cwd: root });
  return `${workflows.length} workflows`;
}

async function auditWorkflows(): Promise<string> {
  const zizmor = join(await pythonTools(), "zizmor");
  await run(zizmor, ["--offline", "--no-progress", "--quiet", "--color=never", ".github"], { cwd: root });
  return `${workflows.length} workflows`;
}

async function validateOverlays(): Promise<string> {
  const [kustomize, python] = await Promise.all([
    goTool("kustomize", "sigs.k8s.io/kustomize/kustomize/v5", "v5.8.1"),
    pythonTools(),
  ]);
  const rendered = await Promise.all(overlays.map((overlay) => run(kustomize, ["build", overlay], { cwd: root })));
  const folder = mkdtempSync(join(tmpdir(), "lint-deploy-"));
  try {
    const files = rendered.map((text, index) => {
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, text);
      return file;
    });
    await run(join(python, "kubernetes-validate"), ["--strict", "--no-warn", "--quiet", ...files]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const problems = rendered.flatMap((text, index) =>
    renderedProblems(text).map((what) => `${overlays[index]}: ${what}`),
  );
  if (problems.length > 0) throw new ProgramError(problems.join("\n"));
  return `${overlays.length} overlays`;
}

/** What is wrong with an overlay as the cluster gets it. */
function renderedProblems(text: string): string[] {
  const resources = parseResources(text);
  const workloads = workloadsOf(resources);
  const own = workloads.map((one) => ({ ...one, secrets: one.secrets.map((name) => `${one.zone}/${name}`) }));
  return [
    ...wallProblems(resources),
    ...secretProblems(own),
    ...workloads.flatMap((one) => [...hardeningProblems(one), ...imageProblems(one)]),
  ];
}

/** Its own package, outside of the workspace: the library that writes the templates is larger than everything else together. */
async function checkTemplates(): Promise<string> {
  const folder = resolve(root, "deploy/aws");
  if (!existsSync(resolve(folder, "package.json"))) return "there are no templates";
  const pnpm = (args: readonly string[], path = process.env["PATH"] ?? "") =>
    run("npx", ["-y", "pnpm@12.18.0", ...args], { cwd: folder, env: { PATH: path } });
  const [python] = await Promise.all([pythonTools(), pnpm(["install", "--frozen-lockfile"])]);
  await pnpm(["check"], [python, process.env["PATH"]].join(delimiter));
  return "templates and their tests";
}
