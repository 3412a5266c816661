import { serveApi } from "@crosszone/admin-api";
import { createSecretSource } from "@crosszone/agent-bridge";
import type { RecordAct } from "@crosszone/audit";
import type { HookList } from "@crosszone/contracts";
import { createHookRoute } from "../doors/hook-route.ts";
import { type AcceptDeliveryDeps, createAcceptDelivery, readRefusals } from "../fires/deliveries.ts";
import type { Hook, ReadHooks } from "../fires/hook-settings.ts";
import type { Schedules } from "../fires/schedule-store.ts";
import type { RoleParts } from "./open-store.ts";

/** Follows the section `hooks`, and creates the route and the API of its hooks. */
export async function openHooks(
  { config, environment, emit, database, settings }: RoleParts,
  to: Pick<AcceptDeliveryDeps, "workflows"> & { readonly schedules: Schedules; readonly record: RecordAct },
) {
  const { fires, whyNoAgents } = to.schedules;
  const { AGENT_SECRETS_DIR: dir, ASK_PORT: port = "", ASK_URL: url = `http://localhost:${port}` } = config;
  const { read: readSecret } = createSecretSource({ environment, dir });
  let current: ReadHooks = { hooks: [], leftOut: [] };
  await settings.follow("hooks", ({ hooks: read, leftOut }) => {
    for (const { name: hook, because } of leftOut) emit("hook_left_out", { hook, because });
    // An edit with a mistake does not end a hook.
    const former = current.hooks.filter((hook) => leftOut.some(({ name }) => name === hook.settings.name));
    current = { hooks: [...read, ...former], leftOut };
    return { hooks: current.hooks.length };
  });
  const hooks = (): readonly Hook[] => current.hooks;
  // Read for each request, so that a replaced one takes effect.
  const secretsOf = async ({ settings: { secrets } }: Hook): Promise<readonly string[]> => {
    const read = await Promise.allSettled(secrets.map(readSecret));
    return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  };
  const accept = createAcceptDelivery({ ...to, fires, maxDepth: config.MAX_DEPTH });
  const route = createHookRoute({ hooks, secretsOf, accept, record: to.record, emit });

  async function listHooks(): Promise<HookList> {
    const { leftOut } = current;
    const all = current.hooks.map((hook) => hook.settings);
    const standing = await fires.standingOf(
      "hook",
      all.map(({ name }) => name),
    );
    const wrong = await whyNoAgents(all.flatMap(({ agent }) => agent ?? []));
    const shown = all.map(async ({ name, title, owner, sign, agent, event, channel, cap }) => {
      const why = wrong.get(agent ?? "");
      const warnings = why === undefined ? undefined : [`${agent} ${why}`];
      const refused = await readRefusals(database, name);
      const hook = { name, title, owner, url: `${url}/hooks/${name}`, sign, refused, warnings };
      if (event !== undefined) return { ...hook, event: event.name };
      const { used, last_fire } = standing(name);
      // Without what its sender wrote.
      return { ...hook, agent, channel, cap, used, last_fire: last_fire && { ...last_fire, text: undefined } };
    });
    return { hooks: await Promise.all(shown), left_out: leftOut.length === 0 ? undefined : [...leftOut] };
  }

  /** Whether a hook makes the event: nobody else does, unless the section \`programs\` lists who. */
  const makesEvent = (name: string): boolean => hooks().some(({ settings: { event } }) => event?.name === name);
  return { route, api: serveApi("hook", { listHooks }), makesEvent };
}
