/** What came back for a request. */
export interface LoadAnswer {
  status: number;
  body: string;
}

/** A request of the load, and what it deserves. */
export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Whether the answer is the one that this request deserves. */
  judge: (answer: LoadAnswer) => boolean;
}

/** One kind of request: how many of a thousand are of it, and how to make the n-th one. */
export interface Kind {
  name: string;
  zone: "verification" | "execution";
  perMille: number;
  /** What each of its requests deserves, in words. */
  deserves: string;
  /** Its n-th request brings the n-th mention, which one answer is due to however often it is brought. */
  asks?: true;
  make: (n: number) => LoadRequest;
}

/** The judgement of a request that only a status answers. */
export function statusIs(status: number): LoadRequest["judge"] {
  return (answer) => answer.status === status;
}
