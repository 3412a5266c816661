/** Tells of an outage once, at its first failure; again when it was over in between. */
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
