import type { Fire, FireList, Hook, HookList, LeftOutHook, Schedule, UsageReport } from "@crosszone/contracts";
import { namedText, showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { confirmed } from "../dialog.ts";
import { factList, muted, saidLine, showContent, stateChip, timeMark, wayBack } from "../frame.ts";
import { type Column, keepFresh, type List, openList, rowLink, titledTable } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { may } from "../session.ts";
import { countText, dollarText, durationText, type ShownState } from "../words.ts";

/** Lists schedules and hooks with what became of them and what they cost, and shows one with its fires. */
export const schedulesTab: Tab = {
  name: "Schedules",
  segments: ["schedules", "hooks"],
  scope: "runs:read",
  open: (place) => {
    const [kind, name] = place.parts;
    if (name === undefined) openList(place, sourceList(place));
    else openSource(place, kind === "hooks" ? "hook" : "schedule", name);
  },
};

type Standing = readonly [look: ShownState, words: string];

/** A schedule or a hook, or one of their fires. */
interface Source {
  readonly path: string;
  readonly title: string;
  readonly standing: Standing;
  /** What it asks, and when. */
  readonly line?: string;
  /** What keeps it from working. */
  readonly wrong?: string | undefined;
  /** Its next time, or its deliveries. */
  readonly due: (now: number) => ComponentChildren;
  readonly last?: Fire | undefined;
  readonly cost?: string;
  readonly acts?: readonly Act[];
}

const placeText = ({ owner: { name, user_id }, channel }: Pick<Schedule["settings"], "owner" | "channel">): string =>
  `as ${name ?? user_id}, ${channel === undefined ? "in direct messages" : `in ${channel}`}`;

function fromSchedule(one: Schedule, costs: UsageReport, names = one.names): Source {
  const { failures = 0, name, next_at, paused_reason = "", settings, state, warnings = [] } = one;
  const { agent, cron, every_ms = 0, title = name, zone } = settings;
  const active: Standing = failures > 0 ? ["timed_out", "Fails"] : ["succeeded", "Active"];
  const paused: Standing = paused_reason.startsWith("Waits ") ? ["waiting", "Waits for owner"] : ["skipped", "Paused"];
  const when = cron === undefined ? `every ${durationText(every_ms)}` : `${cron} ${zone}`;
  return {
    path: `schedules/${encodeURIComponent(name)}`,
    title,
    standing: warnings.length > 0 ? ["failed", "Can't work"] : state === "active" ? active : paused,
    line: `asks ${agent}, ${when}, ${namedText(placeText(settings), names)}`,
    wrong: warnings[0] ?? (namedText(paused_reason, names) || undefined),
    due: (now) => (next_at[0] === undefined ? "–" : timeMark(next_at[0], now)),
    last: one.last_fire,
    cost: costText(costs, name),
    acts: state === "active" ? ["pause", "fire"] : ["resume"],
  };
}

function fromHook(one: Hook | LeftOutHook, costs: UsageReport, names: HookList["names"]): Source {
  const usual = { path: `hooks/${one.name}`, cost: costText(costs, one.name) };
  if ("because" in one)
    return { ...usual, title: one.name, standing: ["failed", "Not served"], wrong: one.because, due: () => "–" };
  const { agent, event, name, last_fire: last, refused, title = name, url, used, warnings } = one;
  const served: Standing = refused === undefined ? ["succeeded", "Served"] : ["timed_out", "Refuses"];
  const reasons = refused?.reasons.map(({ count, reason }) => `${reason.replaceAll("_", " ")} ${countText(count)}`);
  return {
    ...usual,
    title,
    standing: warnings === undefined ? served : ["failed", "Can't work"],
    line: `${agent === undefined ? `sends ${event}` : `asks ${agent}`}, ${url}, ${namedText(placeText(one), names)}`,
    wrong: warnings?.[0] ?? (reasons && `Deliveries refused: ${reasons.join(", ")}`),
    due: () => `${countText(used?.fires ?? 0)} today, ${countText(refused?.count ?? 0)} refused`,
    last,
  };
}

/** Returns what a schedule or hook cost this month, UTC. */
function costText({ groups, total }: UsageReport, name: string): string {
  const sum = groups.find(({ key }) => key === name)?.sum;
  if (sum === undefined) return total > groups.length ? "See Usage" : "No model calls";
  const tokens = `${countText(sum.input_tokens + sum.output_tokens)} tokens`;
  return `${sum.cost === null ? tokens : dollarText(sum.cost)} this month`;
}

/** What became of a fire. An answer with a reason is an error. */
function fireStanding({ outcome, reason, state }: Fire): Standing {
  if (state === "running") return ["running", "Running"];
  if (state !== "ended") return state === "skipped" ? ["skipped", "Skipped"] : ["pending", "Waits"];
  if (outcome === "answered" && reason === undefined) return ["succeeded", "Answered"];
  return outcome === "withdrawn" ? ["canceled", "Withdrawn"] : ["failed", "Failed"];
}

/** Red only if somebody has to correct something. */
const isBad = ([look]: Standing): boolean => look === "failed" || look === "timed_out";

const fromFire = (fire: Fire): Source => ({
  path: `messages/${fire.fire_id}`,
  title: fire.title ?? fire.name,
  standing: fireStanding(fire),
  wrong: fire.reason?.replaceAll("_", " "),
  due: (now) => timeMark(fire.scheduled_at, now),
});

const keyOf = ({ path }: Source): string => path;

const columnsOf = (due: string): readonly Column<Source>[] => [
  { head: "State", area: "state", cell: ({ standing }) => stateChip(...standing) },
  {
    head: "Name",
    area: "name",
    cell: ({ line = "", path, standing, title, wrong }) => [
      rowLink(`/console/${path}`, visibleLine(title)),
      line !== "" && h("span", { class: "muted" }, visibleLine(line)),
      wrong && h("span", { class: isBad(standing) ? "row-error" : "muted", title: wrong }, visibleLine(wrong)),
    ],
  },
  { head: due, area: "when", cell: (one, now) => one.due(now) },
  {
    head: "Last fire",
    area: "more",
    cell: ({ last }, now) => (last ? [stateChip(...fireStanding(last)), " ", timeMark(last.created_at, now)] : "Never"),
  },
  { head: "Cost", area: "end", cell: ({ cost }) => cost },
];

const readCosts = ({ api, signal }: Place, by: "schedule" | "hook") => api.call("getUsage", { by, limit: 200 }, signal);

async function readHooks(place: Place): Promise<readonly Source[]> {
  const reading = place.api.call("listHooks", {}, place.signal);
  const [{ hooks, left_out = [], names }, costs] = await Promise.all([reading, readCosts(place, "hook")]);
  return [...left_out, ...hooks].map((one) => fromHook(one, costs, names));
}

function sourceList(place: Place): List<Source> {
  let hooks: readonly Source[] = [];
  return {
    title: "Schedules",
    fields: [
      { name: "state", label: "State", options: Object.entries({ "": "All", active: "Active", paused: "Paused" }) },
      { name: "owner", label: "Owner", placeholder: "Slack id" },
    ],
    columns: columnsOf("Next"),
    read: async (filter) => {
      const reading = place.api.call("listSchedules", { limit: 50, ...filter }, place.signal);
      const [list, costs, found] = await Promise.all([reading, readCosts(place, "schedule"), readHooks(place)]);
      hooks = found;
      return { rows: list.schedules.map((one) => fromSchedule(one, costs, list.names)), next: list.next_cursor };
    },
    keyOf,
    empty: "No schedules yet. Create one with crosszone schedules add, or in Slack with /agents schedule.",
    below: (now) => {
      const empty = "No hooks. Name them in the section hooks of EXECUTION_FILE.";
      return titledTable("Hooks", hooks, { columns: columnsOf("Deliveries"), keyOf, empty, now });
    },
  };
}

const acts = {
  pause: ["Pause", "dangerous", "It fires no more until somebody resumes it. What runs goes on.", "pauseSchedule"],
  resume: ["Resume", "primary", "It fires from now on. An owner who has not allowed it is asked.", "resumeSchedule"],
  fire: ["Fire", "primary", "It asks as its owner now, within its cap, and answers in its channel.", "fireSchedule"],
} as const;
type Act = keyof typeof acts;

/** Shows a schedule or a hook with its fires, and changes a schedule. */
function openSource(place: Place, source: "schedule" | "hook", name: string): void {
  const { api, query, session, signal } = place;
  let done = "";
  document.title = `${visibleLine(name)} · Schedules · Crosszone`;

  async function readSource(): Promise<Source | undefined> {
    if (source === "hook") return (await readHooks(place)).find(({ path }) => path === `hooks/${name}`);
    const [one, costs] = await Promise.all([api.call("getSchedule", { name }, signal), readCosts(place, "schedule")]);
    return fromSchedule(one, costs);
  }

  const readFires = () => api.call("listFires", { source, name, limit: 50, cursor: query["cursor"] }, signal);
  const fresh = keepFresh<readonly [Source | undefined, FireList]>(place, {
    read: () => Promise.all([readSource(), readFires()]),
    pauseMs: () => 5_000,
    show: (shown, said) => {
      if (shown === undefined) return;
      const [one, { fires, next_cursor: next }] = shown;
      const table = { columns: columnsOf("Scheduled").slice(0, 3), keyOf, empty: "No fires yet.", now: api.now() };
      const buttons = one?.acts?.map((how) =>
        h("button", { class: acts[how][1], onClick: () => void act(how) }, `${acts[how][0]}…`),
      );
      showContent([
        wayBack("/console/schedules", "All schedules and hooks"),
        one && sourceHeader(one, may(session, "runs:act") && buttons, api.now()),
        saidLine(done || said),
        titledTable("Fires", fires.map(fromFire), table),
        next && wayBack(`?cursor=${next}`, "Older"),
        may(session, "audit:read") && wayBack(`/console/audit?target=${source}:${name}`, "Changes in the audit log"),
      ]);
    },
  });

  async function act(how: Act): Promise<void> {
    const [verb, look, text] = acts[how];
    const question = { title: `${verb} this schedule?`, text, yes: `${verb} schedule`, no: "Change nothing", look };
    let skipped: string | undefined;
    const failed = await confirmed(question, async () => {
      const result = await api.call(acts[how][3], { name });
      if ("fire_id" in result && result.state === "skipped") skipped = `It did not fire. ${result.reason}`;
    });
    done = skipped ?? failed;
    fresh.refresh();
  }
}

const sourceHeader = (one: Source, buttons: ComponentChildren, now: number): ComponentChild =>
  h(
    "header",
    { class: "surface" },
    h(
      "div",
      { class: "run-title" },
      h("h1", null, visibleLine(one.title)),
      stateChip(...one.standing),
      h("div", { class: "choices" }, buttons),
    ),
    muted(visibleLine(one.line ?? "")),
    one.wrong !== undefined && h("p", { class: isBad(one.standing) ? "said" : "muted" }, showUnseen(one.wrong)),
    factList([
      [one.acts ? "Next" : "Deliveries", one.due(now)],
      ["Cost", one.cost],
    ]),
  );
