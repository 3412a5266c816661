import { createLocalSlack, type EventEnvelope, type LocalSlack } from "@crosszone/dev-slack";
import { deletedBy } from "../../chaos/run/people.ts";
import { createRandom } from "../../harness/random.ts";
import { runIn } from "../time/life.ts";
import { agenda } from "../time/virtual-time.ts";
import { createSlackNetwork, type NetworkOptions, type SlackNetwork } from "./slack-network.ts";

/** The events that Slack sends to the app. */
export type Deliveries = ReturnType<typeof createDeliveries>;

interface DeliveryOptions {
  readonly seed: number;
  readonly note: (what: string) => void;
  /** Sends a signed request to a process of verification. Resolves with the status, or with 0 without a response. */
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
}

/** Slack resends an event that was not acknowledged after this time, and this often. */
const resendMs = 1_500;
const mostSends = 240;

function createDeliveries({ sign }: Pick<LocalSlack, "sign">, { seed, note, send }: DeliveryOptions) {
  const random = createRandom(seed, 20);
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  const accepted = new Map<string, Map<string, number>>();
  const deletionsSeen = new Map<string, number>();
  let delivery = { copies: 1, delayMs: 0, dropFirst: false };
  let underWay = 0;

  function bring(
    envelope: EventEnvelope,
    { afterMs, isDropped = false }: { afterMs: number; isDropped?: boolean },
  ): void {
    underWay += 1;
    const body = JSON.stringify(envelope);
    const attempt = async (number: number): Promise<void> => {
      const retried: Record<string, string> =
        number === 0 ? {} : { "x-slack-retry-num": String(number), "x-slack-retry-reason": "http_error" };
      const status = number === 0 && isDropped ? 0 : await send({ ...sign(body), ...retried }, body);
      note(`event ${envelope.event.type} ${String(envelope.event["ts"])} attempt ${number}: ${status}`);
      const ofMessage = accepted.getOrInsertComputed(String(envelope.event["ts"]), () => new Map());
      if (status === 200) ofMessage.getOrInsert(envelope.event_id, agenda.now());
      const deleted = deletedBy(envelope);
      if (status === 200 && deleted !== undefined) deletionsSeen.getOrInsert(deleted, agenda.now());
      if ((status >= 200 && status < 500 && status !== 0) || number >= mostSends) underWay -= 1;
      else agenda.plan(resendMs, () => void attempt(number + 1));
    };
    runIn(undefined, () => agenda.plan(afterMs, () => void attempt(0)));
  }

  return {
    /** Sends an event as `setDelivery` says, and again until it is acknowledged. */
    deliver: (envelope: EventEnvelope) => {
      const { ts } = envelope.event as { ts?: string };
      if (ts !== undefined) envelopes.getOrInsertComputed(ts, () => new Map()).set(envelope.event_id, envelope);
      const { copies, delayMs, dropFirst } = delivery;
      for (let copy = 0; copy < copies; copy += 1)
        bring(envelope, { afterMs: delayMs + random.int(40), isDropped: dropFirst });
    },
    /** Sends the events of the message again. */
    bringAgain: (ts: string) => {
      for (const envelope of envelopes.get(ts)?.values() ?? []) bring(envelope, { afterMs: 1 });
    },
    /** Returns whether an event of this message was acknowledged. */
    isAccepted: (ts: string) => (accepted.get(ts)?.size ?? 0) > 0,
    /** Returns when all events of this message were acknowledged, Unix milliseconds, or undefined before that. */
    acceptedAt: (ts: string) => {
      const times = [...(accepted.get(ts)?.values() ?? [])];
      return times.length === envelopes.get(ts)?.size ? Math.max(...times) : undefined;
    },
    /** Returns when the app acknowledged that the message was deleted, Unix milliseconds, or undefined before that. */
    deletionSeenAt: (ts: string) => deletionsSeen.get(ts),
    /** Sets the number of copies of the following events, their delay, and whether their first delivery is lost. */
    setDelivery: (next: typeof delivery) => {
      delivery = next;
    },
    /** Number of deliveries that are not finished. */
    underWay: () => underWay,
  };
}

const slackUrl = "http://127.0.0.1:1";

const secrets = {
  signingSecret: "signing-secret-of-the-simulation",
  botToken: "xoxb-0-0-0123456789abcdef0123456789abcdef",
  appToken: "xapp-1-A0CROSSZONE-0-0123456789abcdef0123456789abcdef",
};

/** Slack, and the network between it and verification. */
export interface SimulatedSlack extends LocalSlack, SlackNetwork, Omit<Deliveries, "deliver"> {
  /** The variables that connect verification to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Sends a press once. Resolves with the status, or with 0 without a response: then the person sees a warning sign. */
  readonly press: (payload: object) => Promise<number>;
}

export function simulateSlack(options: DeliveryOptions & NetworkOptions): SimulatedSlack {
  const slack = createLocalSlack({
    secrets,
    url: slackUrl,
    deliver: (envelope) => deliver(envelope),
    rateLimits: { tier_3: { burst: 1_000, per_minute: 10_000 }, tier_4: { burst: 1_000, per_minute: 10_000 } },
  });
  const { deliver, ...deliveries } = createDeliveries(slack, options);
  return {
    ...slack,
    ...deliveries,
    press: (payload) => {
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const type = { "content-type": "application/x-www-form-urlencoded" };
      return runIn(undefined, () => options.send({ ...slack.sign(body), ...type }, body));
    },
    ...createSlackNetwork(slack, options),
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_SIGNING_SECRET: secrets.signingSecret,
      SLACK_APP_ID: slack.workspace.app.app_id,
      SLACK_API_URL: `${slackUrl}/api/`,
    },
  };
}
