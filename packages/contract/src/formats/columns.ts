/** The columns of a list as a table: the fields its rows may have, from their schema, so that they are the same in every answer. */
import { z } from "zod";

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap() as z.ZodType) : schema; // a field holds a zod type

const fieldsOf = (schema: z.ZodType): [string, z.ZodType][] | null => {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject ? Object.entries(inner.shape as Record<string, z.ZodType>) : null;
};

const pathsOf = (schema: z.ZodType, before: string): string[] =>
  (fieldsOf(schema) ?? []).flatMap(([name, field]) =>
    fieldsOf(field) ? pathsOf(field, `${before}${name}.`) : [`${before}${name}`],
  );

/**
 * Lists the columns.
 * @param output the answer's schema
 * @param path where its rows are: field names joined by dots; empty when the answer is the list
 * @returns paths into a row, such as `bar_start` or `buy.price`, in the order of the schema
 * @throws Error when there is no list of objects at the path
 */
export const columnsOf = (output: z.ZodType, path: string): string[] => {
  let schema = unwrapped(output);
  for (const name of path === "" ? [] : path.split(".")) {
    const field = fieldsOf(schema)?.find(([each]) => each === name);
    if (!field) throw new Error(`the answer has no field ${path}`);
    schema = unwrapped(field[1]);
  }
  const columns = schema instanceof z.ZodArray ? pathsOf(schema.element as z.ZodType, "") : []; // an array holds a zod type
  if (columns.length === 0) throw new Error(`${path || "the answer"} is not a list of objects`);
  return columns;
};
