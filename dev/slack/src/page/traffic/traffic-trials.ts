import type { Fault, Forgery } from "../../control/protocol.ts";
import { controlApi } from "../state/control-api.ts";
import { byId, h } from "../frame/element.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { forgeries, forgeryVerdict, replayVerdict, type Verdict } from "./trial.ts";

const watchMs = 2000;

/** Mounts the buttons that simulate attacks and failures, and show the app's reaction in a sentence. */
export function mountTrials(store: Store<PageState>): void {
  const outcome = byId("trial-outcome");
  const say = ({ held, sentence }: Verdict): void => {
    const sign = held === undefined ? "" : held ? "held" : "broken";
    outcome.replaceChildren(h("span", { class: `trial-sentence ${sign}` }, sentence));
  };
  const button = (action: string, label: string, run: () => Promise<Verdict>): HTMLButtonElement => {
    const onclick = async (): Promise<void> => {
      element.disabled = true;
      say({ held: undefined, sentence: `${label}: waiting for the answer…` });
      say(
        await run().catch((error: unknown) => ({
          held: undefined,
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
    button("rate_limited", "429 on next post", () => fault("rate_limited", 429)),
    button("server_error", "500 on next post", () => fault("server_error", 500)),
  ];
  const twice = button("twice", "Deliver twice", async () => {
    const { copies } = await controlApi.delivery({ copies: twice.getAttribute("aria-pressed") === "true" ? 1 : 2 });
    showCopies(twice, copies);
    const sentence =
      copies > 1
        ? "On: each event is delivered twice. There must still be only one answer."
        : "Off: each event is delivered once.";
    return { held: undefined, sentence };
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

async function fault(kind: Fault["kind"], status: number): Promise<Verdict> {
  await controlApi.fault({ method: "chat.postMessage", kind });
  return {
    held: undefined,
    sentence: `Armed: the next chat.postMessage returns ${status}. Ask something; the answer must still arrive exactly once.`,
  };
}
