import type { AgentsApi } from "../../api/agents-api.ts";
import { RefusedError } from "../../api/api-failure.ts";

/** Marks agents that this command registered, so that one left behind by a crash is replaced and no other. */
const mark = "(crosszone agent dev)";

export interface DevAgent {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly protocol?: string | undefined;
}

/**
 * Registers an agent under development: no retries, and failures don't open its circuit. Replaces a registration that this command left
 * behind; rejects with a `RefusedError` when an agent of the same name exists. Returns a function that removes it.
 */
export async function register(
  agents: AgentsApi,
  { description, protocol, ...agent }: DevAgent,
): Promise<() => Promise<void>> {
  const { name } = agent;
  const settings = {
    ...agent,
    description: `${description.slice(0, 200)} ${mark}`.trim(),
    ...(protocol !== undefined && { protocol }),
    retry: { max_retries: 0, base_ms: 100, max_ms: 100 },
    breaker: { failures: 1_000, open_ms: 100 },
  };
  const remove = async (): Promise<void> => agents.remove(name);
  try {
    await agents.add(settings);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const known = await agents.get(name).catch(() => undefined);
    if (known?.description.endsWith(mark) !== true) throw error;
    await remove();
    await agents.add(settings);
  }
  return remove;
}

/** `Word counter` as `word-counter`; the fallback for a name without letters and digits. */
export function agentName(cardName: string | undefined, fallback: string): string {
  const slug = (cardName ?? "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return slug === "" ? fallback : slug.slice(0, 100);
}
