import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  ApiProblem,
  correctThem,
  page,
  type QueryMember,
  readJsonBody,
  readQuery,
  text,
  textThat,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import {
  type FireList,
  type HookList,
  type HookRefusals,
  isAgentName,
  isFireSource,
  isFireState,
  isScheduleState,
  type LeftOutHook,
  type NewSchedule,
  type ParamProblem,
  type Schedule,
  type ScheduleChange,
  type ScheduleList,
  type ScheduleSettings,
} from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import { ownMember } from "@crosszone/service-kit/json";
import { authorChanger, problemsInRequest, ScheduleRefusal } from "../../fires/changer.ts";
import type { FireCursor, Fires } from "../../fires/fire-store.ts";
import type { Hook } from "../../fires/hook-settings.ts";
import { problemsOfNew, problemsOfSettings } from "../../fires/schedule-settings.ts";
import type { Schedules } from "../../fires/schedule-store.ts";

const problems: Readonly<
  Record<ScheduleRefusal["kind"], readonly [kind: string, status: number, title: string, advice: string]>
> = {
  not_found: ["schedule_not_found", 404, "Schedule not found", "List the schedules to see their names."],
  exists: ["schedule_exists", 409, "A schedule has this name", "Choose another name, or change that schedule."],
  of_file: [
    "schedule_of_file",
    409,
    "The schedule is in the section schedules of EXECUTION_FILE",
    "Change it in the section schedules of EXECUTION_FILE. It can be paused, resumed and fired here.",
  ],
  cap: [
    "cap_used_up",
    409,
    "The cap of the schedule has no room",
    "Its cap counts UTC days. Raise it, or fire it tomorrow.",
  ],
  not_allowed: [
    "schedule_not_allowed",
    409,
    "The owner of the schedule has not allowed it",
    "Its owner allows it with a press in Slack. Resume it to ask again.",
  ],
  not_valid: ["invalid_schedule", 422, "The schedule is not valid", correctThem],
};

const bodyRules = { maxBytes: 100_000 };

const fireCursor: QueryMember<FireCursor | undefined> = (value, wrong) => {
  if (value === undefined) return undefined;
  const [, at, fire_id = ""] = /^(\d{1,15})_([\da-fA-F-]{36})$/.exec(value) ?? [];
  if (at === undefined) wrong("must be the `next_cursor` of the page before");
  return { created_at: Number(at), fire_id };
};

const schedulesQuery = {
  limit: page.limit,
  cursor: text,
  owner: text,
  state: textThat(isScheduleState, "must be the state of a schedule"),
};
const firesQuery = {
  limit: page.limit,
  cursor: fireCursor,
  source: textThat(isFireSource, "must be schedule or hook"),
  name: text,
  state: textThat(isFireState, "must be the state of a fire"),
};

/** Creates the part of the API that lists, changes and fires schedules, and lists fires. */
export function createScheduleRoutes(schedules: Schedules): ApiPart {
  const changer = (exchange: ApiExchange) => authorChanger(authorOf(exchange), "api");
  const nameOf = ({ params }: ApiExchange): string => params["name"] ?? "";

  /** Throws a refusal that names everything that is wrong, also an agent that does not exist, unless the schedule had it `before`. */
  async function check(wrong: ParamProblem[], agent: unknown, before?: Schedule): Promise<void> {
    const isNew = isAgentName(agent) && agent !== before?.settings.agent;
    const message = isNew ? (await schedules.whyNoAgents([agent])).get(agent) : undefined;
    if (message !== undefined) wrong.push({ pointer: before === undefined ? "/settings/agent" : "/agent", message });
    if (wrong.length > 0) throw problemOf(new ScheduleRefusal("not_valid", wrong));
  }

  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { limit, cursor, owner, state } = readQuery(request.url, schedulesQuery);
    const found = await schedules.page({ user_id: owner, state, after: cursor }, limit);
    return { status: 200, body: { schedules: found.schedules, next_cursor: found.next } satisfies ScheduleList };
  }

  async function show(exchange: ApiExchange): Promise<ApiContent> {
    readQuery(exchange.request.url, {});
    return { status: 200, body: await find(exchange) };
  }

  async function find(exchange: ApiExchange): Promise<Schedule> {
    const found = await schedules.find(nameOf(exchange));
    if (found === undefined) throw problemOf(new ScheduleRefusal("not_found", []));
    return found;
  }

  async function create(exchange: ApiExchange): Promise<ApiContent> {
    const body = await readJsonBody(exchange.request, bodyRules);
    await check(problemsOfNew(body), ownMember(ownMember(body, "settings"), "agent"));
    const inBody = (error: unknown): never => {
      if (!(error instanceof ScheduleRefusal)) throw error;
      throw new ScheduleRefusal(error.kind, problemsInRequest(error));
    };
    const saved = await unlessRefused(schedules.save(body as NewSchedule, changer(exchange)).catch(inBody));
    return { status: 201, body: saved };
  }

  async function replace(exchange: ApiExchange): Promise<ApiContent> {
    const body = await readJsonBody(exchange.request, { ...bodyRules, acceptHeader: "accept-patch" });
    const before = await find(exchange);
    await check(problemsOfSettings(body), ownMember(body, "agent"), before);
    const saving = { name: nameOf(exchange), settings: body as ScheduleSettings, replaces: true };
    return { status: 200, body: await unlessRefused(schedules.save(saving, changer(exchange))) };
  }

  const change =
    (how: ScheduleChange) =>
    async (exchange: ApiExchange): Promise<ApiContent> => {
      const { schedule, fire } = await unlessRefused(schedules.change(nameOf(exchange), how, changer(exchange)));
      return how === "remove" ? { status: 204 } : { status: 200, body: how === "fire" ? fire : schedule };
    };

  async function listFires({ request }: ApiExchange): Promise<ApiContent> {
    const { limit, cursor: before, ...filter } = readQuery(request.url, firesQuery);
    const { fires, next } = await schedules.fires.page({ ...filter, before }, limit);
    const next_cursor = next && `${next.created_at}_${next.fire_id}`;
    return { status: 200, body: { fires, next_cursor } satisfies FireList };
  }

  return {
    document: openApi("schedule"),
    paths: {
      "/schedules": { get: list, post: create },
      "/schedules/{name}": { get: show, patch: replace, delete: change("remove") },
      "/schedules/{name}/pause": { post: change("pause") },
      "/schedules/{name}/resume": { post: change("resume") },
      "/schedules/{name}/fire": { post: change("fire") },
      "/fires": { get: listFires },
    },
  };
}

async function unlessRefused<Result>(changing: Promise<Result>): Promise<Result> {
  return changing.catch((error: unknown) => {
    throw error instanceof ScheduleRefusal ? problemOf(error) : error;
  });
}

function problemOf({ kind: refused, problems: wrong }: ScheduleRefusal): ApiProblem {
  const [kind, status, title, advice] = problems[refused];
  return new ApiProblem({ kind, status, title }, advice, refused === "not_valid" ? { problems: [...wrong] } : {});
}

/** Creates the part of the API that shows the hooks of the settings. `url` is the listener's, without a slash at the end. */
export function createHookApi(deps: {
  readonly current: () => { readonly hooks: readonly Hook[]; readonly leftOut: readonly LeftOutHook[] };
  readonly fires: Fires;
  readonly whyNoAgents: Schedules["whyNoAgents"];
  /** Returns what was refused of a hook's deliveries. */
  readonly refusalsOf: (name: string) => Promise<HookRefusals | undefined>;
  readonly url: string;
}): ApiPart {
  const { current, fires, whyNoAgents, refusalsOf, url } = deps;

  async function list(): Promise<HookList> {
    const { hooks, leftOut } = current();
    const all = hooks.map(({ settings }) => settings);
    const standing = await fires.standingOf(
      "hook",
      all.map(({ name }) => name),
    );
    const wrong = await whyNoAgents(all.flatMap(({ agent }) => agent ?? []));
    const shown = all.map(async ({ name, title, owner, sign, agent, event, channel, cap }) => {
      const why = wrong.get(agent ?? "");
      const warnings = why === undefined ? undefined : [`${agent} ${why}`];
      const hook = { name, title, owner, url: `${url}/hooks/${name}`, sign, refused: await refusalsOf(name), warnings };
      if (event !== undefined) return { ...hook, event: event.name };
      const { used, last_fire } = standing(name);
      // Without what its sender wrote.
      return { ...hook, agent, channel, cap, used, last_fire: last_fire && { ...last_fire, text: undefined } };
    });
    return { hooks: await Promise.all(shown), left_out: leftOut.length === 0 ? undefined : [...leftOut] };
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
