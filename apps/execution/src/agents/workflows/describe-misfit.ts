import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import { code, codeBlock } from "@crosszone/builtin-agent";
import { findJsonError } from "./find-json-error.ts";
import { propertiesOf, unfenced, withPlainMarks } from "./workflow-input.ts";

/** Explains to the requester why the workflow can't start with their message, and which input it expects. Markdown. */
export function describeMisfit(
  { workflow_id, input_schema }: Pick<WorkflowDefinition, "workflow_id" | "input_schema">,
  text: string,
  problems: readonly ParamProblem[],
): string {
  const lines = problems.map(
    ({ pointer, message }) => `- ${pointer === "" ? "the input" : code(nameOf(pointer))} ${message}`,
  );
  const json = unfenced(text);
  const error = json.startsWith("{") ? findJsonError(withPlainMarks(json)) : undefined;
  const sample = sampleOf(input_schema);
  return [
    `The workflow ${code(workflow_id)} can't start with this input:`,
    lines.join("\n"),
    error && `Your message looks like JSON but isn't valid: ${error.problem}, at character ${error.offset + 1}.`,
    sample && `It expects a JSON object such as this one:\n${codeBlock(JSON.stringify(sample, null, 2), "json")}`,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

/**
 * Formats a JSON pointer for people: `/a/b~1c` becomes a.b/c. https://datatracker.ietf.org/doc/html/rfc6901#section-3
 */
const nameOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");

/** Placeholders for values without an example in the schema. */
const placeholders: ReadonlyMap<unknown, unknown> = new Map<string, unknown>([
  ["integer", 1],
  ["number", 1],
  ["boolean", true],
  ["array", []],
  ["object", {}],
  ["null", null],
]);

/**
 * Returns an object with the members that the schema requires, or with all that it names when it requires none;
 * undefined when it names none.
 */
function sampleOf(schema: WorkflowDefinition["input_schema"]): Readonly<Record<string, unknown>> | undefined {
  const named = Object.entries(propertiesOf(schema));
  const required: unknown = schema?.["required"];
  const asked = Array.isArray(required) ? named.filter(([name]) => required.includes(name)) : [];
  const shown = (asked.length > 0 ? asked : named).slice(0, mostMembers);
  return shown.length === 0 ? undefined : Object.fromEntries(shown.map(([name, member]) => [name, valueFor(member)]));
}

const mostMembers = 20;

function valueFor(member: unknown): unknown {
  if (typeof member !== "object" || member === null) return "…";
  const { examples, default: value, enum: choices, type } = member as Readonly<Record<string, unknown>>;
  for (const list of [examples, choices]) if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  return value ?? (placeholders.has(type) ? placeholders.get(type) : "…");
}
