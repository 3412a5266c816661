import { type ApiTokens, checkSwitchedOn, problemOf, sendProblem, SharedProblem } from "@crosszone/admin-api";
import { answerJson, correlationOfRequest, requestIdOf } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { type RequestHandler, Router } from "express";
import { serveSignIn, type SignIn } from "./sign-in-routes.ts";

/** Who is signed in, for the console. */
interface SessionAnswer {
  readonly name: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** The Slack user as whom the person can decide. */
  readonly slack_user?: string | undefined;
  /** When the session ends at the latest. */
  readonly ends_at: string;
}

/** Express's own types can't be inferred by others. */
export interface AuthRoutes {
  readonly routes: RequestHandler;
  /** Lets requests for pages pass only while the API is on. */
  readonly whenOn: RequestHandler;
}

/** Creates the routes below `/auth`. Without `signIn` only `/auth/session` is served, which says so. */
export function createAuthRoutes(known: ApiTokens, signIn?: SignIn): AuthRoutes {
  const whenOn: RequestHandler = async (_request, _response, next) => {
    // While the database is down, a page can say so.
    const off = await checkSwitchedOn(known).catch((error: unknown) => error);
    next(off instanceof SharedProblem ? "router" : undefined);
  };
  const routes = Router({ caseSensitive: true, strict: true });
  routes.use(whenOn);
  routes.get("/session", async (request, response) => {
    try {
      const holder = await signIn?.sessions.holderOf(request);
      if (holder === undefined) throw new SharedProblem("unauthorized", "No person is signed in.");
      const { person, roles, scopes, endsAt } = holder;
      const { name, slackUser: slack_user } = person;
      const body: SessionAnswer = { name, roles, scopes, slack_user, ends_at: isoTime(endsAt) };
      answerJson(response, 200, JSON.stringify(body));
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status === 401) answerJson(response, 401, JSON.stringify({ sign_in: signIn ? "/auth/login" : null }));
      else sendProblem(response, problem, correlationOfRequest(request.headers, requestIdOf(response)));
    }
  });
  if (signIn !== undefined) serveSignIn(routes, signIn);
  return { routes, whenOn };
}
