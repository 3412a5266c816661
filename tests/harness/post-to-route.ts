import { Agent, request } from "undici";
import type { Route } from "./connect-https.ts";

export interface Posted {
  readonly status: number;
  readonly challenge: string | undefined;
  /** What the sender was told to do, of a refusal. */
  readonly message: string | undefined;
  /** Why it was refused, by the route's own word; nothing when it was not. */
  readonly reason: string | undefined;
}

export interface Post {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the connection: certificates, for example. */
  readonly connect?: object;
}

/** Sends what no transport of ours would send, and says how it was taken. */
export async function postTo(route: Route, { headers = {}, body = "{}", connect = {} }: Post = {}): Promise<Posted> {
  const before = route.refusals.length;
  const dispatcher = new Agent({ connect });
  try {
    const answer = await request(route.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      dispatcher,
    });
    const { error } = (await answer.body.json()) as { error?: { data?: { problems?: { message?: string }[] } } };
    return {
      status: answer.statusCode,
      challenge: answer.headers["www-authenticate"]?.toString(),
      message: error?.data?.problems?.[0]?.message,
      reason: route.refusals[before]?.reason,
    };
  } finally {
    await dispatcher.destroy();
  }
}
