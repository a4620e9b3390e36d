/** values.ts: lists of values that have a name. */
import type { SdkModel, ValuesModel } from "./model.ts";
import { docComment, fileText, unionAlias } from "./text.ts";

/** A list that begins or goes on with another is written by the other's name. */
const membersOf = (list: ValuesModel, lists: readonly ValuesModel[]): string[] => {
  const contained = lists
    .filter((other) => other !== list && other.values.length < list.values.length && other.values.length > 3)
    .find((other) => other.values.every((value) => list.values.includes(value)));
  const rest = list.values.filter((value) => !contained?.values.includes(value)).map((value) => JSON.stringify(value));
  return contained ? [...rest, contained.name] : rest;
};

/** The file. */
export const valuesFile = ({ values }: SdkModel): string =>
  fileText(
    "Values that have a name.",
    [],
    [
      ...values.map((list) => [...docComment([list.description]), ...unionAlias(list.name, membersOf(list, values))]),
      [
        ...docComment(["A list that may grow: editors suggest the values known today, and any text is taken."]),
        "export type Open<Known extends string> = Known | (string & {});",
      ],
    ],
  );
