import { ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { Handlers } from "@crosszone/jsonrpc";
import { personChanger, problemsInRequest, ScheduleRefusal } from "../../fires/changer.ts";
import { mostOfOwner } from "../../fires/schedule-store.ts";
import { resetsAt } from "../../usage/budget.ts";
import type { HandlerParts, RequestContext } from "./execute-task.ts";

type ScheduleMethod = "list_fires" | "take_fire" | "list_schedules" | "save_schedule" | "change_schedule";

/** Creates the handlers of schedules and fires. Verification vouches for the persons that it names. */
export function createScheduleHandlers({ agents, schedules, limits }: HandlerParts) {
  return {
    /** Returns the fires that wait for the caller's teams. Waits for one. */
    list_fires: async (params, { signal }) => {
      const waitMs = Math.min(params.wait_ms ?? 0, limits.maxWaitMs);
      return { fires: [...(await schedules.fires.due(params, { waitMs, signal }))] };
    },

    take_fire: async (params, { caller }) => ({ state: await schedules.take(params, caller) }),

    list_schedules: async ({ team_id, user_id }) => ({
      schedules: (await schedules.page({ team_id, user_id }, mostOfOwner)).schedules,
    }),

    save_schedule: async (params) => {
      const { agent, owner } = params.settings;
      if ((await agents.resolve(agent)) === undefined) throw new ZoneError("unknown_agent", { agent });
      return { schedule: await unlessRefused(schedules.save(params, personChanger(owner))) };
    },

    change_schedule: ({ name, change, team_id, user_id }) =>
      unlessRefused(schedules.change(name, change, personChanger({ team_id, user_id }))),
  } satisfies Pick<Handlers<ZoneMethods, RequestContext>, ScheduleMethod>;
}

/** Throws the error of the contract for a refusal. */
async function unlessRefused<Result>(changing: Promise<Result>): Promise<Result> {
  try {
    return await changing;
  } catch (error) {
    if (!(error instanceof ScheduleRefusal)) throw error;
    const retry_after_ms = resetsAt("day", new Date()).getTime() - Date.now();
    if (error.kind === "cap") throw new ZoneError("rate_limited", { retry_after_ms });
    throw new ZoneError("invalid_params", { problems: problemsInRequest(error) });
  }
}
