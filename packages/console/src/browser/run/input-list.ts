import type { InputRequest } from "@crosszone/contracts";
import { showUnseen, visibleLine } from "@crosszone/service-kit/text";
import { h, type ComponentChild, type ComponentChildren } from "preact";
import { stateChip } from "../state-mark.ts";
import { decidersText, fullTime, inputStates, voteText } from "../text/input-words.ts";
import { fromNowText } from "../text/step-words.ts";

export interface InputListDeps {
  /** Unix milliseconds. */
  readonly now: number;
  readonly onWithdraw: (request: InputRequest) => void;
}

/**
 * Lists input requests: open ones with who can decide, the others with their receipts. Nothing without any. The output of the step has the
 * given values, without secrets.
 */
export function inputList(title: string, requests: readonly InputRequest[], deps: InputListDeps): ComponentChild {
  if (requests.length === 0) return undefined;
  const cards = requests.map((request) => inputCard(request, deps));
  return h("section", { class: "part inputs", key: title, "aria-label": title }, h("h3", null, title), cards);
}

function inputCard(request: InputRequest, { now, onWithdraw }: InputListDeps): ComponentChild {
  const { closed_because, created_at, decided_at, decision_event, expires_at, request_id, state, votes } = request;
  const title = visibleLine(request.title);
  const [words, look] = inputStates[state];
  const isOpen = state === "open";
  const fact = (name: string, value: ComponentChildren, exact?: string): ComponentChild[] =>
    value === undefined ? [] : [h("dt", null, name), h("dd", { title: exact }, value)];
  return h(
    "article",
    { class: "input", key: request_id, "data-state": look, "aria-label": title },
    h("h4", null, title),
    h("p", null, stateChip(look, words)),
    h(
      "dl",
      { class: "facts" },
      ...fact(isOpen ? "Can decide" : "Could decide", decidersText(request)),
      ...fact("Since", fromNowText(created_at, now), created_at),
      ...(isOpen ? fact("Until", fromNowText(expires_at, now), expires_at) : []),
      ...(decided_at === undefined ? [] : fact("Closed", fullTime(decided_at), decided_at)),
      ...fact("Why", closed_because && showUnseen(closed_because)),
      ...fact("Receipt", decision_event),
      ...votes.flatMap((vote) => fact(vote.user_id, voteText(vote), vote.at)),
    ),
    isOpen && h("button", { type: "button", class: "dangerous", onClick: () => onWithdraw(request) }, "Withdraw…"),
  );
}
