/** A lease that is given up ends this much earlier than for others, as a part of its time. */
const margin = 1 / 6;

/** When a lease expires by this process's own clock. */
export interface Expiry {
  readonly isOver: () => boolean;
  /** By `performance.now()`; -Infinity once expired. */
  readonly renewedAt: () => number;
  /** A renewal counts from the time of its request. */
  readonly renewed: (requestedAt: number) => void;
  /** A renewal failed. */
  readonly failed: () => void;
  /** Whether a renewal has failed within the time of a lease. */
  readonly hasFailedLately: () => boolean;
  /** Whether the last renewal failed. */
  readonly isUncertain: () => boolean;
  readonly expire: () => void;
  /** Prevents further calls of `onSoon`. */
  readonly stop: () => void;
}

/** `onSoon` is called shortly before the lease may expire. */
export function createExpiry(leaseMs: number, onSoon: (() => void) | undefined): Expiry {
  let renewedAt = -Infinity;
  let failedAt = -Infinity;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    isOver: () => performance.now() - renewedAt >= leaseMs,
    renewedAt: () => renewedAt,
    renewed: (at) => {
      renewedAt = at;
      clearTimeout(timer);
      if (onSoon === undefined || isStopped) return;
      timer = setTimeout(onSoon, leaseMs * (1 - margin) - (performance.now() - at)).unref();
    },
    failed: () => {
      failedAt = performance.now();
    },
    hasFailedLately: () => performance.now() - failedAt < leaseMs,
    isUncertain: () => failedAt > renewedAt,
    expire: () => {
      renewedAt = -Infinity;
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
