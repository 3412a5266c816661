import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import type { AddressRules } from "../addresses/address-rules.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { Connections } from "./connections.ts";
import { httpRequest, receiveAnswer } from "./receive-answer.ts";
import { sendFailure } from "./send-failure.ts";
import type { PostForm } from "./credentials/oauth2-tokens.ts";

/** Larger than any token; bytes. */
const maxBytes = 262_144;

const timeoutMs = 10_000;

/** Returns a function that posts forms to token endpoints. */
export function createTokenPost(rules: AddressRules, connections: Connections): PostForm {
  const who = "The agent's token endpoint";
  return async (text, { authorization, body }) => {
    const { url, scope } = rules.check(text);
    const type = "application/x-www-form-urlencoded";
    const request = httpRequest(url, { authorization, accept: "application/json", "content-type": type }, body);
    try {
      return await withTimeout(timeoutMs, (signal) => {
        const { handler, reply } = receiveAnswer({ signal, maxBytes, who });
        connections.of(scope).dispatch(request, handler);
        return reply;
      });
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw sendFailure(error, who, url.host);
      throw new AgentFailure("call_timeout", `${who} did not answer within ${timeoutMs} ms.`);
    }
  };
}
