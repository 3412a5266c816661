/** Reports an outage once, at its first failure; again after a recovery. */
export interface ToldOnce {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

export function createToldOnce(tell: (error: unknown) => void): ToldOnce {
  let isAway = false;
  return {
    failed: (error) => {
      if (!isAway) tell(error);
      isAway = true;
    },
    worked: () => {
      isAway = false;
    },
  };
}
