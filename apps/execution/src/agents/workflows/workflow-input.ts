import type { ParamProblem, WorkflowDefinition } from "@crosszone/contracts";
import { holdsInfinity, infinityAdvice } from "@crosszone/service-kit/holds-infinity";
import type { AgentTaskInput } from "../agent.ts";
import { cameAlong } from "../bridged/agent-task-of.ts";
import { codeBlocks } from "../builtin/documents/find-document.ts";
import { measureJson, type Json } from "../builtin/documents/measure-json.ts";

/** Levels of arrays and objects in an input; as many as a message between the zones has, unless it is told otherwise. */
const mostLevels = 64;

/**
 * What a person's message is to a workflow: the JSON object that it is, also within one code block, or else an object with the text. The
 * messages before it and its files are added where the workflow's schema names `thread` and `attachments`, and the person does not.
 */
export function workflowInput(
  { text, thread, attachments }: Pick<AgentTaskInput, "text" | "thread" | "attachments">,
  { input_schema }: Pick<WorkflowDefinition, "input_schema">,
): Readonly<Record<string, unknown>> {
  const own = jsonObjectOf(text) ?? { text };
  const named = propertiesOf(input_schema);
  const added = Object.entries(cameAlong({ thread, attachments })).filter(([name]) => Object.hasOwn(named, name));
  return { ...Object.fromEntries(added), ...own };
}

/** What is wrong with an input whatever the workflow is. How large it may be is bounded by the message that it came in. */
export function inputProblems(input: unknown): readonly ParamProblem[] {
  if (measureJson(input as Json).depth > mostLevels)
    return [{ pointer: "", message: `is nested in more than ${mostLevels} levels` }];
  return holdsInfinity(input) ? [{ pointer: "", message: infinityAdvice }] : [];
}

/** What a schema of an object says of each of its members. */
export function propertiesOf(schema: WorkflowDefinition["input_schema"]): Readonly<Record<string, unknown>> {
  const properties: unknown = schema?.["properties"];
  return typeof properties === "object" && properties !== null ? (properties as Record<string, unknown>) : {};
}

/** The text without the code block that it may be as a whole. */
export function unfenced(text: string): string {
  const whole = text.trim();
  const [block, ...others] = /^```[^]*```$/.test(whole) ? codeBlocks(whole) : [];
  return block !== undefined && others.length === 0 ? block.text.trim() : whole;
}

/** JSON as it was typed, where a keyboard or an editor has made other quotes and blanks of it. As long as it was. */
export function withPlainMarks(json: string): string {
  return withPlainBlanks(json).replaceAll(/[\u201C-\u201F]/g, '"');
}

/** NO-BREAK SPACE indents what is pasted from pages and documents. */
const withPlainBlanks = (json: string): string => json.replaceAll("\u00A0", " ");

/** What is JSON as it stands is taken so: the marks in its texts are the person's. */
function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  const json = unfenced(text);
  if (!json.startsWith("{")) return undefined;
  for (const candidate of new Set([json, withPlainBlanks(json), withPlainMarks(json)])) {
    try {
      return JSON.parse(candidate) as Record<string, unknown>;
    } catch {
      // The next one may be JSON.
    }
  }
  return undefined;
}
