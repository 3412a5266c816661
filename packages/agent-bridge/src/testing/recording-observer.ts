import type { BridgeObserver } from "../bridge-observer.ts";

/** Everything that is told, in order: the name of what happened and what was said of it. */
export interface RecordingObserver extends BridgeObserver {
  readonly told: readonly (readonly [name: keyof BridgeObserver, ...said: unknown[]])[];
  readonly toldOf: (name: keyof BridgeObserver) => readonly (readonly unknown[])[];
}

const names = [
  "requestTranslated responseTranslated translationFailed retried callEnded callAborted cancelFailed circuitChanged",
  "taskStored taskTaken taskEnded taskRefused resultRefused taskLetGo messageRefused storeFailed",
].flatMap((line) => line.split(" ")) as (keyof BridgeObserver)[];

/** An observer that keeps what it is told. */
export function recordingObserver(): RecordingObserver {
  const told: [keyof BridgeObserver, ...unknown[]][] = [];
  const observer = Object.fromEntries(
    names.map((name) => [name, (...said: unknown[]) => void told.push([name, ...said])]),
  ) as unknown as BridgeObserver;
  return { ...observer, told, toldOf: (name) => told.flatMap(([of, ...said]) => (of === name ? [said] : [])) };
}
