import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AssistantLimits, AssistantObserver } from "../assistant.ts";
import type { UsageMeter } from "../usage/usage-meter.ts";
import { streamCallOf, withStreamCall } from "./call-parts.ts";
import { limitSilence } from "./limit-silence.ts";
import { meterCalls } from "./meter-calls.ts";
import { retryCalls } from "./retry-calls.ts";

export interface ModelBounds {
  readonly limits: Pick<AssistantLimits, "silenceMs" | "attempts" | "backoffMs">;
  readonly meter: UsageMeter;
  readonly observer: Pick<AssistantObserver, "callRetried">;
}

/** A model each call of which is timed, counted and retried. */
export function boundedModel(model: LanguageModelV4, { limits, meter, observer }: ModelBounds): LanguageModelV4 {
  const counted = meterCalls(limitSilence(streamCallOf(model), limits.silenceMs), meter);
  const onRetry = ({ message }: Error): void => observer.callRetried(message);
  return withStreamCall(model, retryCalls(counted, { ...limits, onRetry }));
}
