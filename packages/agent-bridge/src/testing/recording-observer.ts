import type { BridgeObserver } from "../bridge-observer.ts";

/** All events in order, with their names and arguments. */
export interface RecordingObserver extends BridgeObserver {
  readonly told: readonly (readonly [name: keyof BridgeObserver, ...said: unknown[]])[];
  readonly toldOf: (name: keyof BridgeObserver) => readonly (readonly unknown[])[];
}

const names = [
  "requestTranslated responseTranslated translationFailed retried callEnded callAborted cancelFailed circuitChanged canaryTaskEnded canaryEnded",
  "taskStored taskTaken taskEnded taskRefused resultRefused taskLetGo storeFailed",
].flatMap((line) => line.split(" ")) as (keyof BridgeObserver)[];

/** Creates an observer that records its events. */
export function recordingObserver(): RecordingObserver {
  const told: [keyof BridgeObserver, ...unknown[]][] = [];
  const observer = Object.fromEntries(
    names.map((name) => [name, (...said: unknown[]) => void told.push([name, ...said])]),
  ) as unknown as BridgeObserver;
  return { ...observer, told, toldOf: (name) => told.flatMap(([of, ...said]) => (of === name ? [said] : [])) };
}
