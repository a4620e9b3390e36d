/** All checks of one route, simplest first. */
import type { RouteTrial } from "../route-trial.ts";
import { NotChecked } from "../wire/exchange.ts";
import { checkConversion, checkKarat } from "./conversion.ts";
import { checkDocument, type ReadDocument } from "./document.ts";
import { checkExamples } from "./examples.ts";
import { checkFormats } from "./formats.ts";
import { checkGates, WOULD_ROTATE } from "./gates.ts";
import { checkHttp } from "./http.ts";
import { checkInvalidInputs } from "./invalid-inputs.ts";
import { checkPages } from "./pages.ts";
import { checkRotation } from "./rotation.ts";
import { checkSpot } from "./spot.ts";
import { checkValidInputs } from "./valid-inputs.ts";

/** Why a route's inputs cannot be tested; undefined when they can. */
const reasonAgainst = (trial: RouteTrial): string | undefined => {
  if (trial.route.method === "POST" && !trial.run.allowKeyRotation) return WOULD_ROTATE;
  try {
    trial.main();
    return undefined;
  } catch (error) {
    if (error instanceof NotChecked) return error.message;
    throw error;
  }
};

/** Checks that need a caller the route allows. */
const BEHIND_THE_GATE = ["examples", "valid input", "invalid input"] as const;

const checkInputs = async (trial: RouteTrial): Promise<void> => {
  const reason = reasonAgainst(trial);
  if (reason !== undefined) {
    const hasInvariants = trial.route.paging !== undefined || trial.route.method === "POST";
    for (const group of hasInvariants ? [...BEHIND_THE_GATE, "invariants" as const] : BEHIND_THE_GATE) {
      trial.run.recorder.skip(trial.name, group, "requests that reach the route", reason);
    }
    return;
  }
  await checkExamples(trial);
  // Run before the long ones, so that a small allowance is enough for them.
  await checkPages(trial);
  await checkFormats(trial);
  await checkSpot(trial);
  await checkConversion(trial);
  await checkKarat(trial);
  await checkRotation(trial);
  await checkValidInputs(trial);
  await checkInvalidInputs(trial);
};

/** Runs every check of a route. */
export const checkRoute = async (trial: RouteTrial, document: ReadDocument, turn: number): Promise<void> => {
  // Checks with different keys run concurrently.
  await Promise.all([checkGates(trial, turn), checkInputs(trial).then(() => checkHttp(trial))]);
  await checkDocument(trial, document);
  trial.finish();
};
