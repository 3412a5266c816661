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

/** Returns a body for each text, named after its first characters. */
export function textBodies(idea: string, texts: readonly string[]): HostileBody[] {
  return texts.map((text) => textBody(`${idea}: ${JSON.stringify(text.slice(0, 60))}`, text));
}

/** Returns a body for each value, in the params of a request whose method ignores them. */
export function paramsBodies(idea: string, values: readonly string[]): HostileBody[] {
  return textBodies(
    `${idea} in params`,
    values.map((value) => requestText({ params: `{"x":${value}}` })),
  );
}
