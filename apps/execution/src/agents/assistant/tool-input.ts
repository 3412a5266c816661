import type { ObjectSchema } from "@crosszone/assistant";
import type { Attachment } from "@crosszone/contracts";

/** The longest schema of a workflow that a model gets, characters of JSON. */
const longestSchema = 8_000;

/** What an agent is asked by a call of its tool. */
export interface ToolInput {
  readonly text: string;
  readonly attachments: Attachment[];
}

/** What a call of an agent looks like: a text and, where the person sent files, which of them go along. */
export function textSchema(attachments: readonly Attachment[]): ObjectSchema {
  const names = attachments.map(({ name }, index) => name ?? `file-${index + 1}`);
  const files = {
    type: "array",
    items: { type: "string", enum: [...new Set(names)] },
    description: "Files of the person that the agent needs",
  };
  return {
    type: "object",
    properties: {
      text: { type: "string", description: "What to ask, complete in itself: the agent doesn't see this conversation" },
      ...(names.length > 0 && { files }),
    },
    required: ["text"],
    additionalProperties: false,
  };
}

/** The schema that a workflow declares for its input, as far as providers take it: an object, not too long. */
export function declaredSchema(declared: Readonly<Record<string, unknown>> | undefined): ObjectSchema | undefined {
  if (declared?.["type"] !== "object") return undefined;
  const { $schema: _dialect, $id: _id, ...schema } = declared;
  return JSON.stringify(schema).length > longestSchema ? undefined : { ...schema, type: "object" };
}

/** Reads what the model passed; undefined when it is no call of `textSchema`. */
export function readToolInput(input: unknown, attachments: readonly Attachment[]): ToolInput | undefined {
  if (typeof input !== "object" || input === null || !("text" in input) || typeof input.text !== "string")
    return undefined;
  const asked = "files" in input && Array.isArray(input.files) ? (input.files as unknown[]) : [];
  const chosen = attachments.filter(({ name }, index) => asked.includes(name ?? `file-${index + 1}`));
  return { text: input.text, attachments: chosen };
}
