/** What a panel changes: one thing at a time, after which the answers that it concerns are read again, and what was refused. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { type Answer, answers, useAnswer } from "../../data/answers.ts";
import { session } from "../../data/key.ts";
import { Refusal } from "../../ui/refusal.tsx";

/** Names of answers that changes of several panels concern. */
export const ENDPOINTS = "endpoints";
export const DELIVERIES = "deliveries";

/** The organisation's endpoints: where its alerts are sent. */
export const useEndpoints = (): Answer<Wire.EndpointList> =>
  useAnswer([ENDPOINTS], (api, options) => api.endpoints.list.query(undefined, options), { everySeconds: 60 });

/** Reads an answer of the key in use again, wherever it is shown. */
const readAgain = (name: string): Promise<void> => answers.invalidateQueries({ queryKey: [session.value, name] });

/**
 * The changes of one panel.
 * @param concerned the answers that they concern, by the first part of their names; all of them when omitted
 */
export const useChanges = (concerned?: readonly string[]) => {
  const fault = useSignal<Error | null>(null);
  const isBusy = useSignal(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    fault.value = null;
    try {
      await work();
    } catch (error) {
      fault.value = error instanceof Error ? error : new Error(String(error));
    }
    isBusy.value = false;
    await (concerned === undefined ? answers.invalidateQueries() : Promise.all(concerned.map(readAgain)));
  };
  return { fault, isBusy, attempt: (work: () => Promise<void>): void => void attempt(work) };
};

export type Changes = ReturnType<typeof useChanges>;

/** What was refused last, until it is put away or something else is attempted. */
export const Fault = ({ fault }: Pick<Changes, "fault">) =>
  fault.value === null ? null : (
    <Refusal
      error={fault.value}
      askAgain={() => {
        fault.value = null;
      }}
    />
  );
