import { hash } from "node:crypto";
import type { ObjectSchema } from "@crosszone/assistant";
import type { Attachment } from "@crosszone/contracts";

/** Identifies a tool call within a task. */
interface ToolCallKey {
  readonly taskId: string;
  readonly agent: string;
  /** The number of this call to the agent within the task, from 1. */
  readonly number: number;
  /** The call's text. Undefined when a reworded call must count as the same call. */
  readonly text: string | undefined;
}

/**
 * Returns the task id of a tool call, a UUID. When a crashed task runs again, the same call has the same id, so the
 * agent returns its stored result.
 */
export function toolTaskId({ taskId, agent, number, text }: ToolCallKey): string {
  const digest = hash("sha256", JSON.stringify([taskId, agent, number, text ?? null]), "hex");
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  // UUID version 8: custom. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

/** The longest workflow schema passed to a model, in characters of JSON. */
const longestSchema = 8_000;

/** The input of a tool call to an agent. */
export interface ToolInput {
  readonly text: string;
  readonly attachments: Attachment[];
}

/** Returns the schema of a call to an agent: a text and, when the person sent files, the files to pass on. */
export function textSchema(attachments: readonly Attachment[]): ObjectSchema {
  const names = attachments.map(({ name }, index) => name ?? `file-${index + 1}`);
  const files = {
    type: "array",
    items: { type: "string", enum: [...new Set(names)] },
    description: "The person's files that the agent needs",
  };
  return {
    type: "object",
    properties: {
      text: {
        type: "string",
        description: "The question, complete in itself: the agent doesn't see this conversation",
      },
      ...(names.length > 0 && { files }),
    },
    required: ["text"],
    additionalProperties: false,
  };
}

/**
 * Returns the input schema that a workflow declares. Undefined when providers wouldn't accept it: not an object, or too
 * long.
 */
export function declaredSchema(declared: Readonly<Record<string, unknown>> | undefined): ObjectSchema | undefined {
  if (declared?.["type"] !== "object") return undefined;
  const { $schema: _dialect, $id: _id, ...schema } = declared;
  return JSON.stringify(schema).length > longestSchema ? undefined : { ...schema, type: "object" };
}

/** Parses the model's input; undefined when it doesn't match `textSchema`. */
export function readToolInput(input: unknown, attachments: readonly Attachment[]): ToolInput | undefined {
  if (typeof input !== "object" || input === null || !("text" in input) || typeof input.text !== "string")
    return undefined;
  const asked = "files" in input && Array.isArray(input.files) ? (input.files as unknown[]) : [];
  const chosen = attachments.filter(({ name }, index) => asked.includes(name ?? `file-${index + 1}`));
  return { text: input.text, attachments: chosen };
}
