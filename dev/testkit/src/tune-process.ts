/** Loaded before a zone's `main.ts`, with `tune`. Throws for a name that is no constant of either zone. */
type Entry = { constant: unknown };
type Module = Readonly<Record<string, Readonly<Record<string, Entry>>>>;

const sources = [
  ["packages/service-kit/src/zone-variables.ts", "zoneConstants"],
  ["apps/verification/src/zone/config.ts", "verificationConstants"],
  ["apps/verification/src/link/link-variables.ts", "identityServices"],
  ["apps/execution/src/zone/config/variables.ts", "executionConstants"],
] as const;

const entries = new Map<string, Entry>();
for (const [path, list] of sources) {
  const module = (await import(new URL(`../../../${path}`, import.meta.url).href)) as Module;
  for (const [name, entry] of Object.entries(module[list] as Module[string])) entries.set(name, entry);
}
// oxlint-disable-next-line node/no-process-env -- not an app: the test that starts the process has set it
const tuned = JSON.parse(process.env["TEST_CONSTANTS"] ?? "{}") as Record<string, unknown>;
for (const [name, value] of Object.entries(tuned)) {
  const entry = entries.get(name);
  if (entry === undefined) throw new Error(`${name} is not a constant of either zone.`);
  entry.constant = value;
}
