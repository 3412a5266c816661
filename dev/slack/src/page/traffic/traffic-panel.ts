import { byId, h, reconcile } from "../frame/element.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { countTraffic, drawTrafficRow, filterTraffic, kindNames, type TrafficFilter } from "./traffic-row.ts";
import type { Fault, Forgery } from "../../protocol/faults.ts";
import { controlApi, type TrialAnswer } from "../state/live-updates.ts";

/** Mounts the Traffic tab: all recorded traffic, newest first, and buttons for attacks and failures. */
export function mountTraffic(store: Store<PageState>): void {
  let filter: TrafficFilter = "all";
  const filters: [TrafficFilter, string][] = [
    ["all", "All"],
    ...(Object.entries(kindNames) as [TrafficFilter, string][]),
  ];
  const buttons = filters.map(([kind, label]) => {
    const count = h("span", { class: "count" });
    const onclick = (): void => {
      filter = kind;
      draw(store.state);
    };
    const button = h(
      "button",
      { type: "button", class: "filter", "data-testid": "traffic-filter", "data-kind": kind, onclick },
      label,
      count,
    );
    return { kind, count, button };
  });
  byId("traffic-filters").append(...buttons.map(({ button }) => button));
  mountTrials(store);

  const draw = ({ traffic, place }: PageState): void => {
    const isShown = place.view === "traffic";
    byId("traffic").hidden = !isShown;
    if (!isShown) return;
    document.title = "Traffic · Local Slack";
    const counts = countTraffic(traffic);
    for (const { kind, count, button } of buttons) {
      count.textContent = String(counts[kind]);
      button.setAttribute("aria-pressed", String(kind === filter));
    }
    const rows = filterTraffic(traffic, filter).map((entry) => ({
      key: `${entry.id}/${entry.at}`,
      version: "",
      entry,
    }));
    reconcile(byId("traffic-rows"), rows, ({ entry }) => drawTrafficRow(entry));
    byId("traffic-empty").hidden = rows.length > 0;
  };
  store.watch(draw);
}

/** A sentence with its color: the app passed, it failed, or the result is inconclusive. */
interface Verdict {
  passed: boolean | undefined;
  sentence: string;
}

/** The forgeries that have a button, each with its fault. */
export const forgeries: Readonly<Partial<Record<Forgery["kind"], { label: string; fault: string }>>> = {
  wrong_secret: { label: "Forge signature", fault: "it was signed with another secret" },
  stale: { label: "Stale (6 min)", fault: "it is signed correctly, but six minutes old" },
  future: { label: "From the future", fault: "it is signed correctly, but dated in the future" },
};

/** Returns the verdict on a forged request. Only a 4xx is right: a 2xx accepted it, and a 5xx or no response is another failure. */
export function forgeryVerdict(kind: Forgery["kind"], { status, ms }: TrialAnswer): Verdict {
  const fault = forgeries[kind]?.fault ?? "it is forged";
  if (status === 0) return silence;
  if (status >= 400 && status < 500)
    return { passed: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms, because ${fault}.` };
  return { passed: false, sentence: `Not refused: the app answered ${status}, although ${fault}.` };
}

/** Returns the verdict on a replayed event, from the response and the number of new bot messages. */
export function replayVerdict({ status, ms }: TrialAnswer, answers: number): Verdict {
  if (status === 0) return silence;
  if (status >= 400) return { passed: true, sentence: `Refused: ${status} in ${Math.round(ms)} ms. No second answer.` };
  if (answers === 0)
    return { passed: true, sentence: `Duplicate detected: ${status} in ${Math.round(ms)} ms. No second answer.` };
  const messages = answers === 1 ? "a new bot message" : `${answers} new bot messages`;
  return {
    passed: undefined,
    sentence: `The app answered ${status}, and ${messages} appeared: check the thread.`,
  };
}

const silence: Verdict = { passed: undefined, sentence: "No response. Is the verification zone running?" };

const watchMs = 2000;

/** Mounts the buttons that simulate attacks and failures, and show the app's reaction in a sentence. */
export function mountTrials(store: Store<PageState>): void {
  const outcome = byId("trial-outcome");
  const say = ({ passed, sentence }: Verdict): void => {
    const sign = passed === undefined ? "" : passed ? "passed" : "broken";
    outcome.replaceChildren(h("span", { class: `trial-sentence ${sign}` }, sentence));
  };
  const button = (action: string, label: string, run: () => Promise<Verdict>): HTMLButtonElement => {
    const onclick = async (): Promise<void> => {
      element.disabled = true;
      say({ passed: undefined, sentence: `${label}: waiting for the answer…` });
      say(
        await run().catch((error: unknown) => ({
          passed: undefined,
          sentence: error instanceof Error ? error.message : "It failed.",
        })),
      );
      element.disabled = false;
    };
    const element = h(
      "button",
      { type: "button", class: "trial", "data-testid": "trial", "data-action": action, onclick: () => void onclick() },
      label,
    );
    return element;
  };

  const forged = (Object.keys(forgeries) as Forgery["kind"][]).map((kind) =>
    button(kind, forgeries[kind]?.label ?? kind, async () => forgeryVerdict(kind, await controlApi.forge({ kind }))),
  );
  const replay = button("replay", "Replay last event", async () => {
    const before = botMessages(store.state);
    const answer = await controlApi.replay();
    await new Promise((resolve) => setTimeout(resolve, watchMs));
    return replayVerdict(answer, botMessages(store.state).difference(before).size);
  });
  const faults = [
    button("rate_limited", "429 on next post", () => armFault("rate_limited", 429)),
    button("server_error", "500 on next post", () => armFault("server_error", 500)),
  ];
  const twice = button("twice", "Deliver twice", async () => {
    const { copies } = await controlApi.delivery({ copies: twice.getAttribute("aria-pressed") === "true" ? 1 : 2 });
    showCopies(twice, copies);
    const sentence =
      copies > 1
        ? "On: each event is delivered twice. There must still be only one answer."
        : "Off: each event is delivered once.";
    return { passed: undefined, sentence };
  });
  void controlApi.delivery({}).then(
    ({ copies }) => showCopies(twice, copies),
    () => undefined,
  );
  byId("trials").append(...forged, replay, twice, ...faults);
}

function showCopies(button: HTMLButtonElement, copies: number): void {
  button.setAttribute("aria-pressed", String(copies > 1));
}

/** Returns the `ts` of every bot message. */
function botMessages({ messages }: PageState): Set<string> {
  const all = [...messages.values()].flatMap((channel) => [...channel.values()]);
  return new Set(all.flatMap(({ bot_id, ts }) => (bot_id === undefined ? [] : [ts])));
}

async function armFault(kind: Fault["kind"], status: number): Promise<Verdict> {
  await controlApi.fault({ method: "chat.postMessage", kind });
  return {
    passed: undefined,
    sentence: `Armed: the next chat.postMessage returns ${status}. Ask something; the answer must still arrive exactly once.`,
  };
}
