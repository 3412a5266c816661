import { samples } from "./samples/samples.ts";

/**
 * Returns the AGENTS_FILE of the sample agents at a server's URL. JSON strings are valid YAML. https://yaml.org/spec/1.2.2/#13-terminology
 */
export function agentsFile(url: string): string {
  const entries = samples.flatMap(({ name, protocol, description }) => [
    `  - name: ${name}`,
    `    url: ${url}/${name}`,
    `    protocol: ${protocol}`,
    `    description: ${JSON.stringify(description)}`,
  ]);
  return ["# The sample agents of dev/agents.", "agents:", ...entries, ""].join("\n");
}
