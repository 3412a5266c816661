import frame from "#schemas/api.json" with { type: "json" };
import audit from "#schemas/audit/api.json" with { type: "json" };
import input from "#schemas/input/api.json" with { type: "json" };
import mcp from "#schemas/mcp/api.json" with { type: "json" };
import registry from "#schemas/registry/api.json" with { type: "json" };
import task from "#schemas/task/api.json" with { type: "json" };
import token from "#schemas/token/api.json" with { type: "json" };
import usage from "#schemas/usage/api.json" with { type: "json" };
import workflow from "#schemas/workflow/api.json" with { type: "json" };

type Section = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document: the members that merging needs. https://spec.openapis.org/oas/v3.1.1 */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Section;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Section>>;
  readonly components: Readonly<Record<string, Section>>;
}

/** A part of the API in one file, without the schemas that it refers to. */
export interface ApiSource extends Pick<OpenApiDocument, "paths" | "components"> {
  /** Relative to the schemas folder. */
  readonly path: string;
}

/** The parts of the API, as they are written. */
export const apiSources: Readonly<
  Record<"registry" | "mcp" | "task" | "input" | "usage" | "workflow" | "token" | "audit", ApiSource>
> = {
  registry: { ...registry, path: "registry/api.json" },
  mcp: { ...mcp, path: "mcp/api.json" },
  task: { ...task, path: "task/api.json" },
  input: { ...input, path: "input/api.json" },
  usage: { ...usage, path: "usage/api.json" },
  workflow: { ...workflow, path: "workflow/api.json" },
  token: { ...token, path: "token/api.json" },
  audit: { ...audit, path: "audit/api.json" },
};

/** What all parts have in common: components, and no path. */
export const apiFrame: ApiSource & OpenApiDocument = { ...frame, path: "api.json" };
