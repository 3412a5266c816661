import type { InputRequest } from "@crosszone/contracts";
import { expect } from "vitest";
import type { FakeMessage } from "./fake-slack.ts";
import { elementsOf, type ScriptedInputs, scriptInputs } from "./scripted-inputs.ts";
import { directMessage, startTestApp, type TestApp, type TestAppOptions, until } from "./start-test-app.ts";

const inChannel = { channel: "C1", channel_type: "channel", type: "app_mention" };

/** Starts an app and asks a question whose task waits for these requests, until as many cards are posted. Resolves with its thread. */
export async function askInSlack(
  requests: readonly InputRequest[],
  { mostCards = requests.length, place = inChannel, prepare = () => undefined, ...overrides }: AskOptions = {},
) {
  const app = await startTestApp(overrides);
  const inputs = scriptInputs(app.zone, requests);
  prepare(app, inputs);
  const message = directMessage("deploy it", place);
  await app.deliver(message);
  await until(() => expect(cardsOf(app)).toHaveLength(mostCards));
  return { app, inputs, thread: message.ts };
}

type AskOptions = TestAppOptions & {
  readonly mostCards?: number;
  /** Where the question is asked; empty for a direct message. */
  readonly place?: Readonly<Record<string, string>>;
  /** Called before the question. */
  readonly prepare?: (app: TestApp, inputs: ScriptedInputs) => void;
};

/** Returns the messages that show input requests. */
export const cardsOf = ({ slack }: TestApp): FakeMessage[] =>
  slack.messages.filter(({ blocks }) => blocks !== undefined);

/** Returns the labels of a message's buttons. */
export const labels = (message: FakeMessage | undefined): unknown[] =>
  elementsOf(message?.blocks).flatMap(({ type, text }) => (type === "button" ? [text?.text] : []));
