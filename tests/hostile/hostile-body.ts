/** A body that no good client sends, or only by chance. */
export interface HostileBody {
  /** What is wrong with it, for the report of a failure. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A body of text. */
export function textBody(name: string, text: string): HostileBody {
  return { name, bytes: Buffer.from(text, "utf8") };
}

/** A request around the JSON text of its members. */
export function requestText(members: Readonly<Record<string, string>>): string {
  const all = { jsonrpc: '"2.0"', method: '"list_agents"', params: "{}", id: '"hostile"', ...members };
  return `{${Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `"${name}":${value}`)
    .join(",")}}`;
}

/** A body for each text, named after how it starts. */
export function textBodies(idea: string, texts: readonly string[]): HostileBody[] {
  return texts.map((text) => textBody(`${idea}: ${JSON.stringify(text.slice(0, 60))}`, text));
}

/** The same, each as the params of a request that names no method which would mind. */
export function paramsBodies(idea: string, values: readonly string[]): HostileBody[] {
  return textBodies(
    `${idea} in params`,
    values.map((value) => requestText({ params: `{"x":${value}}` })),
  );
}
