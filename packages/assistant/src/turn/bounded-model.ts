import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AssistantLimits, AssistantObserver } from "../assistant.ts";
import type { OpenModel } from "../models/open-model.ts";
import type { TurnTracer } from "../spans/call-tracer.ts";
import { traceCalls } from "../spans/trace-calls.ts";
import type { UsageMeter } from "../usage/usage-meter.ts";
import { streamCallOf, withStreamCall } from "./call-parts.ts";
import { limitSilence } from "./limit-silence.ts";
import { meterCalls } from "./meter-calls.ts";
import { retryCalls } from "./retry-calls.ts";

export interface ModelBounds {
  readonly limits: Pick<AssistantLimits, "silenceMs" | "attempts" | "backoffMs">;
  readonly meter: UsageMeter;
  readonly observer: Pick<AssistantObserver, "callRetried">;
  readonly turn: TurnTracer;
}

/** Returns a model whose calls are timed, traced, counted and retried. */
export function boundedModel(open: OpenModel, { limits, meter, observer, turn }: ModelBounds): LanguageModelV4 {
  const { model } = open;
  const traced = traceCalls(limitSilence(streamCallOf(model), limits.silenceMs), open, turn);
  const counted = meterCalls(traced, meter);
  const onRetry = ({ message }: Error): void => observer.callRetried(message);
  return withStreamCall(model, retryCalls(counted, { ...limits, onRetry }));
}
