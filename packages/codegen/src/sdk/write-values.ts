/** Writes values.ts: named value lists, as constants and as types. */
import type { SdkModel, ValuesModel } from "./model.ts";
import { listName } from "./names.ts";
import { bracketed, docComment, fileText } from "./text.ts";

/** The shorter list that this one contains and refers to by name. */
const containedIn = (list: ValuesModel, lists: readonly ValuesModel[]): ValuesModel | undefined =>
  lists
    .filter((other) => other !== list && other.values.length < list.values.length && other.values.length > 3)
    .find((other) => other.values.every((value) => list.values.includes(value)));

const membersOf = (list: ValuesModel, lists: readonly ValuesModel[]): string[] => {
  const contained = containedIn(list, lists);
  const rest = list.values.filter((value) => !contained?.values.includes(value)).map((value) => JSON.stringify(value));
  return contained ? [...rest, `...${listName(contained.name)}`] : rest;
};

/** A list comes after the list it contains. */
const inOrder = (lists: readonly ValuesModel[]): ValuesModel[] => {
  const isPart = (list: ValuesModel): boolean => lists.some((other) => containedIn(other, lists) === list);
  return [...lists.filter(isPart), ...lists.filter((list) => !isPart(list))];
};

/** The file. */
export const valuesFile = ({ values }: SdkModel): string =>
  fileText(
    "Named values, as lists and as types.",
    [],
    [
      ...inOrder(values).flatMap((list) => [
        [
          ...docComment([list.description]),
          ...bracketed(`export const ${listName(list.name)} = `, ["[", "]"], membersOf(list, values), " as const;"),
        ],
        [...docComment([list.description]), `export type ${list.name} = (typeof ${listName(list.name)})[number];`],
      ]),
      [
        ...docComment(["A list that may grow: editors suggest the values known today, and any text is accepted."]),
        "export type Open<Known extends string> = Known | (string & {});",
      ],
    ],
  );
