import type { WorkflowDefinition } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import type { AgentMessage } from "../agent.ts";
import { cameAlong } from "../bridged/bridged-agent.ts";

/**
 * Converts a person's message into a workflow's input: the JSON object in it, also within one code block, or else an
 * object with the text. Adds earlier messages, files and content of others if the schema names `thread`, `attachments`,
 * `others`, `has_quotes` or `unreadable`, and the person doesn't. Throws a `JsonTextError` for an object that is nested more than 64 levels deep, or would change when it is read.
 */
export function workflowInput(
  message: AgentMessage,
  { input_schema }: { readonly input_schema?: WorkflowDefinition["input_schema"] },
): Readonly<Record<string, unknown>> {
  const own = jsonObjectOf(message.text) ?? { text: message.text };
  const named = propertiesOf(input_schema);
  const added = Object.entries(cameAlong(message)).filter(([name]) => Object.hasOwn(named, name));
  return { ...Object.fromEntries(added), ...own };
}

/** Returns an object schema's schemas of its members. */
export function propertiesOf(schema: WorkflowDefinition["input_schema"]): Readonly<Record<string, unknown>> {
  const properties: unknown = schema?.["properties"];
  return typeof properties === "object" && properties !== null ? (properties as Record<string, unknown>) : {};
}

/** Returns the text without the code block around it. */
export function unfenced(text: string): string {
  const whole = text.trim();
  const [, block] = /^```(?:[a-z]{1,12}[ \t]{0,9}\r?\n)?((?:(?!```)[^])*)```$/i.exec(whole) ?? [];
  return block?.trim() || whole;
}

/** Restores JSON whose quotes or spaces a keyboard or editor replaced. The length stays the same. */
export function withPlainMarks(json: string): string {
  return withPlainBlanks(json).replaceAll(/[\u201C-\u201F]/g, '"');
}

/** NO-BREAK SPACE indents text pasted from pages and documents. */
const withPlainBlanks = (json: string): string => json.replaceAll("\u00A0", " ");

/** Valid JSON is used unchanged: quotes in its strings are the person's. */
function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  const json = unfenced(text);
  if (!json.startsWith("{")) return undefined;
  for (const candidate of new Set([json, withPlainBlanks(json), withPlainMarks(json)])) {
    try {
      return parseExactJson(candidate) as Record<string, unknown>;
    } catch (error) {
      // The next candidate may be JSON.
      if (!(error instanceof JsonTextError) || error.kind !== "not_json") throw error;
    }
  }
  return undefined;
}
