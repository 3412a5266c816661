/** A body that no correct client sends on purpose. */
export interface HostileBody {
  /** What is wrong with it, for failure reports. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns a body of text. */
export function textBody(name: string, text: string): HostileBody {
  return { name, bytes: Buffer.from(text, "utf8") };
}

/** Returns a request with the JSON text of its members. */
export function requestText(members: Readonly<Record<string, string>>): string {
  const all = { jsonrpc: '"2.0"', method: '"list_agents"', params: "{}", id: '"hostile"', ...members };
  return `{${Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `"${name}":${value}`)
    .join(",")}}`;
}

/** Returns a request that asks the built-in agent, with the JSON text of its members. */
export function taskText({ text = '"2+2"', rest = "", ...members }: Readonly<Record<string, string>>): string {
  const params = `{"channel":"C","text":${text},"bot_token":"h"${rest}}`;
  return requestText({ method: '"execute_task"', params, ...members });
}

/** Returns a body for each text, named after its first characters. */
export function textBodies(idea: string, texts: readonly string[]): HostileBody[] {
  return texts.map((text) => textBody(`${idea}: ${JSON.stringify(text.slice(0, 60))}`, text));
}

/** Where a value can be in a message, by the name of the place. */
const places: Readonly<Record<string, (value: string) => string>> = {
  alone: (value) => value,
  // The method ignores its params.
  "in params": (value) => requestText({ params: `{"x":${value}}` }),
  "as id": (id) => requestText({ id }),
  "as method": (method) => requestText({ method }),
  "as version": (jsonrpc) => requestText({ jsonrpc }),
  "as params": (params) => requestText({ params }),
  "as a member's name": (name) => requestText({ params: `{${name}:1}` }),
  "as a task's text": (text) => taskText({ text, id: JSON.stringify(text.slice(0, 40)) }),
  "as a task's id": (id) => taskText({ id }),
  "as a task's params": (params) => taskText({ params }),
  "as a wait": (wait) =>
    requestText({ method: '"get_async_task_result"', params: `{"task_id":"t","wait_ms":${wait}}` }),
};

/** Returns a body for each value in each of these places. */
export function inPlaces(idea: string, values: readonly string[], ...names: readonly string[]): HostileBody[] {
  return names.flatMap((name) => {
    const write = places[name];
    if (write === undefined) throw new TypeError(`no place ${name}`);
    return textBodies(`${idea} ${name}`, values.map(write));
  });
}
