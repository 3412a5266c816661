import { type ApiPart, readQuery } from "@crosszone/admin-api";
import type { HookList, HookRefusals } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Fires } from "../../fires/fire-store.ts";
import type { Hook } from "../../fires/hook-settings.ts";

/** Creates the part of the API that shows the hooks of HOOKS_FILE. `url` is the listener's, without a slash at the end. */
export function createHookApi(deps: {
  readonly hooks: () => readonly Hook[];
  readonly fires: Fires;
  /** Returns what was refused of a hook's deliveries. */
  readonly refusalsOf: (name: string) => Promise<HookRefusals | undefined>;
  readonly url: string;
}): ApiPart {
  const { hooks, fires, refusalsOf, url } = deps;

  async function list(): Promise<HookList> {
    const all = hooks().map(({ settings }) => settings);
    const standing = await fires.standingOf(
      "hook",
      all.map(({ name }) => name),
    );
    const shown = all.map(async ({ name, title, owner, sign, agent, event, channel, cap }) => {
      const hook = { name, title, owner, url: `${url}/hooks/${name}`, sign, refused: await refusalsOf(name) };
      if (event !== undefined) return { ...hook, event: event.name };
      const { used, last_fire } = standing(name);
      // Without what its sender wrote.
      return { ...hook, agent, channel, cap, used, last_fire: last_fire && { ...last_fire, text: undefined } };
    });
    return { hooks: await Promise.all(shown) };
  }

  return {
    document: openApi("hook"),
    paths: {
      "/hooks": {
        get: async ({ request }) => {
          readQuery(request.url, {});
          return { status: 200, body: await list() };
        },
      },
    },
  };
}
