import type { InputRequest } from "@crosszone/contracts";
import type { ApiQuery } from "@crosszone/contracts/operations";
import { decidersText, visibleLine } from "@crosszone/service-kit/text";
import { h } from "preact";
import { actOnInput, approvalCard } from "./input-card.ts";
import { byId, saidLine, showContent, stateChip, timeMark, wayBack } from "../frame.ts";
import { keepFresh, type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { inputStates } from "../words.ts";

/** Lists what is asked of people, and shows one request, which the user may decide or withdraw. */
export const approvalsTab: Tab = {
  name: "Approvals",
  segments: ["approvals"],
  scope: "runs:read",
  open: (place) => {
    const [, requestId] = place.parts;
    if (requestId === undefined) openList(place, approvalList(place));
    else openRequest(place, requestId);
  },
};

function approvalList({ api, session: { decidesAs: me }, signal }: Place): List<InputRequest> {
  const shown: readonly (readonly [value: string, words: string, query: ApiQuery])[] = [
    ["", "Open", { open: true }],
    ...(me === undefined ? [] : [["mine", "Open, mine", { open: true, person: me }] as const]),
    ["decided", "Decided", { open: false }],
    ["all", "All", {}],
  ];
  return {
    title: "Approvals",
    fields: [
      { name: "show", label: "Show", options: shown.map(([value, words]) => [value, words] as const) },
      { name: "person", label: "Person", placeholder: "Name or Slack id" },
    ],
    columns: [
      { head: "State", area: "state", cell: ({ state }) => stateChip(inputStates[state][1], inputStates[state][0]) },
      {
        head: "Asked",
        area: "name",
        cell: ({ agent, request_id, title }) => [
          rowLink(`/console/approvals/${request_id}`, visibleLine(title)),
          h("span", { class: "muted" }, agent),
        ],
      },
      { head: "Who decides", area: "more", cell: decidersText },
      { head: "Since", area: "when", cell: ({ created_at }, now) => timeMark(created_at, now) },
      {
        head: "Until",
        area: "end",
        cell: ({ decided_at, expires_at, state }, now) =>
          state === "open" ? timeMark(expires_at, now) : decided_at && ["closed ", timeMark(decided_at, now)],
      },
    ],
    read: async ({ cursor, person, show = "" }) => {
      const [, , narrowed] = shown.find(([value]) => value === show) ?? [];
      const query = { limit: 50, cursor, person, ...narrowed };
      const { input_requests: rows, next_cursor: next } = await api.call("listInputRequests", query, signal);
      return { rows, next };
    },
    keyOf: ({ request_id }) => request_id,
    stateOf: ({ state }) => inputStates[state][1],
    empty: "Nothing waits for a decision.",
    bulk: [
      {
        action: "input_request.withdraw",
        words: "Withdraw",
        effect: "No one can decide them anymore. The steps that wait for them continue as after an expiry.",
        look: "dangerous",
      },
    ],
  };
}

const refreshMs = 10_000;

/** Shows one request, and keeps it fresh while the page is visible. */
function openRequest(place: Place, requestId: string): void {
  const { api, session, signal } = place;
  let problem = "";
  const fresh = keepFresh<InputRequest>(place, {
    read: () => api.call("getInputRequest", { request_id: requestId }, signal),
    pauseMs: () => refreshMs,
    show: (request, said) => {
      if (request === undefined) return;
      document.title = `${visibleLine(request.title)} · Crosszone`;
      const heading = h("h1", null, visibleLine(request.title));
      showContent([
        wayBack("/console/approvals", "Approvals"),
        saidLine(problem || said),
        approvalCard(request, heading, {
          now: api.now(),
          session,
          onInput: (asked, act) => void actOnInput(api, asked, act).then(answered),
        }),
      ]);
    },
  });

  function answered(why: string): void {
    problem = why;
    byId("announcement").textContent = why;
    fresh.refresh();
  }
}
