import { samples } from "./samples/samples.ts";

/** The sample agents at a server's URL, as the file that AGENTS_FILE names. JSON strings are YAML too. https://yaml.org/spec/1.2.2/#13-terminology */
export function agentsFile(url: string): string {
  const entries = samples.flatMap(({ name, protocol, description }) => [
    `  - name: ${name}`,
    `    url: ${url}/${name}`,
    `    protocol: ${protocol}`,
    `    description: ${JSON.stringify(description)}`,
  ]);
  return ["# The sample agents of packages/dev-agents.", "agents:", ...entries, ""].join("\n");
}
