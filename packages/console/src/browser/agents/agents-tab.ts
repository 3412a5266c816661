import type { AgentList, AgentRecord } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChildren, h } from "preact";
import { stateChip, timeMark } from "../frame.ts";
import { type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { callsText, countText } from "../words.ts";
import { openAgentView, standing } from "./agent-view.ts";

/** Lists the agents with their failures and who waits for them, and shows one. */
export const agentsTab: Tab = {
  name: "Agents",
  segments: ["agents"],
  scope: "runs:read",
  open: (place) => {
    const [, name] = place.parts;
    if (name === undefined) openList(place, agentList(place));
    else openAgentView(place, name);
  },
};

const failures = ({ activity: { ended = 0, failed = 0 } = { waiting: 0 } }: AgentRecord): string =>
  callsText(ended) + (failed === 0 ? "" : `, ${countText(failed)} failed`);

const waits = (
  { activity: { waiting, waiting_since } = { waiting: 0 } }: AgentRecord,
  now: number,
): ComponentChildren =>
  waiting_since === undefined ? "No one waits" : [`${countText(waiting)} wait, oldest `, timeMark(waiting_since, now)];

const lastFailure = ({ activity }: AgentRecord, now: number): ComponentChildren =>
  activity?.failed_at === undefined
    ? "No failure in a day"
    : [`${activity.failure?.replaceAll("_", " ") ?? ""} `, timeMark(activity.failed_at, now)];

const eitherOr = (yes: string, no: string) => Object.entries({ "": "All", true: yes, false: no });

const agentList = ({ api, signal }: Place): List<AgentRecord> => ({
  title: "Agents",
  fields: [
    { name: "q", label: "Name or description" },
    { name: "waiting", label: "Waiting", options: eitherOr("People wait", "No one waits") },
    { name: "enabled", label: "Enabled", options: eitherOr("On", "Off") },
  ],
  columns: [
    { head: "State", area: "state", cell: (agent) => stateChip(...standing(agent)) },
    {
      head: "Agent",
      area: "name",
      cell: ({ description, name }) => [
        rowLink(`/console/agents/${encodeURIComponent(name)}`, visibleLine(name)),
        h("span", { class: "muted" }, visibleLine(description)),
      ],
    },
    { head: "Last hour", area: "more", cell: failures },
    { head: "Who waits", area: "end", cell: waits },
    { head: "Last failure", area: "when", cell: lastFailure },
  ],
  read: async ({ cursor = 0, ...filter }) => {
    const offset = Number(cursor);
    const { agents, total } = await api.get<AgentList>("/agents", { ...filter, limit: 50, offset }, signal);
    const end = offset + agents.length;
    return { rows: agents, next: end < total ? String(end) : undefined };
  },
  keyOf: ({ name }) => name,
  stateOf: (agent) => standing(agent)[0],
  empty: "No agents yet. Add one with crosszone agents add, or in AGENTS_FILE.",
});
