/** Runs each port's suite on every engine of this run. */
import { admissionsSuite, windowsSuite } from "./suite/admissions.ts";
import { busSuite } from "./suite/bus.ts";
import { countersSuite } from "./suite/counters.ts";
import { announceEngines, ENGINES } from "./suite/engine.ts";
import { latestSuite } from "./suite/latest.ts";
import { leaseSuite } from "./suite/lease.ts";
import { placesSuite } from "./suite/places.ts";

announceEngines("live engines");

for (const engine of ENGINES) {
  leaseSuite(engine);
  busSuite(engine);
  latestSuite(engine);
  windowsSuite(engine);
  countersSuite(engine);
  admissionsSuite(engine);
  placesSuite(engine);
}
