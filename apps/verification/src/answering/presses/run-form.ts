import { type InputSchema, isInputField, isInputSchema, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { isObject } from "@crosszone/service-kit/json";

/** What a field of a form has of a member's JSON Schema; the rest is checked when the run starts. */
const fieldMembers = new Set(
  "type title description enum format minLength maxLength minimum maximum default".split(" "),
);

/** Time to list the workflows, milliseconds. After it, a run starts as it is. */
const timeoutMs = 3_000;

/** Members that execution adds to an input by itself. */
const added: ReadonlySet<string> = new Set(["thread", "attachments"]);

/** Resolves with the form of a workflow's input; undefined if there is no such workflow, or its input does not fit a form. */
export async function formOf(
  workflow: string,
  { zone, call }: { readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<InputSchema | undefined> {
  const { agents } = await zone.call("list_agents", {}, call);
  const found = agents.find(({ name, kind }) => name === workflow && kind === "workflow");
  return flatSchema(found?.input_schema);
}

/** Returns the flat members of an input's JSON Schema; undefined if a required one is not flat, or there are more than fit a form. */
export function flatSchema(schema: unknown): InputSchema | undefined {
  if (!isObject(schema) || !isObject(schema["properties"])) return undefined;
  const fields = Object.entries(schema["properties"]).flatMap(([name, member]) => {
    const known = isObject(member) ? Object.entries(member).filter(([key]) => fieldMembers.has(key)) : [];
    const field: unknown = Object.fromEntries(known);
    return isInputField(field) && !added.has(name) ? [[name, field] as const] : [];
  });
  const properties = Object.fromEntries(fields);
  const required = requiredOf(schema);
  const flat = { type: "object", properties, required };
  return isInputSchema(flat) && required.every((name) => Object.hasOwn(properties, name)) ? flat : undefined;
}

/**
 * Resolves with what a run asks for whose text lacks required members that fit a form; undefined if it can start, or if execution explains
 * what is wrong: with text that should be JSON, or with an input that does not fit a form.
 */
export async function missingInput(
  { agent: workflow, text }: { readonly agent: string; readonly text: string },
  { zone, call }: { readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<{ readonly state: "done"; readonly text: string; readonly people: ReadonlySet<string> } | undefined> {
  const schema = await formOf(workflow, { zone, call: { ...call, timeoutMs } }).catch(() => undefined);
  const missing = schema && missingMembers(text, schema);
  if (missing === undefined || missing.length === 0) return undefined;
  const names = missing.map((name) => `\`${name}\``).join(", ");
  return { state: "done", text: `The workflow \`${workflow}\` needs ${names}.`, people: new Set() };
}

/** Returns the required members that the text of a run lacks; none if it should be JSON and is not. */
function missingMembers(text: string, { required = [] }: InputSchema): readonly string[] {
  const json = text.trim();
  let input: object = json === "" ? {} : { text };
  try {
    if (json.startsWith("{")) input = JSON.parse(json) as object;
  } catch {
    return [];
  }
  return required.filter((name) => !Object.hasOwn(input, name));
}

function requiredOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const { required } = schema;
  const names = Array.isArray(required) ? required : [];
  return names.filter((name): name is string => typeof name === "string" && !added.has(name));
}
