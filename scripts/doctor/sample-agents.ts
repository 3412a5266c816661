import { samples } from "../../packages/dev-agents/src/samples/samples.ts";
import type { Environment } from "../../packages/service-kit/src/config/definition.ts";
import { passed, type SectionPlan } from "../../packages/service-kit/src/doctor/index.ts";

/** What `pnpm dev` adds to the agents of the zone. They are asked over HTTP, and run only while it does. */
export function sampleAgents(env: Environment): SectionPlan {
  const names = samples.map(({ name, protocol }) => `${name} (${protocol})`).join(", ");
  const port = env["DEV_AGENTS_PORT"] || "3200";
  const says = `${names}: \`pnpm dev\` starts them at 127.0.0.1:${port}, in addition to the agents of AGENTS_FILE`;
  return { title: "Sample agents", checks: [{ name: "samples", run: () => passed(says) }] };
}
