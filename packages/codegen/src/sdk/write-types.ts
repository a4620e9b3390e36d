/** Writes types.ts: the objects in responses. */
import type { SdkModel } from "./model.ts";
import { translator } from "./prose.ts";
import { fileText, importOf } from "./text.ts";
import { declarationLines, fieldsOf, needs, type ObjectWriting } from "./write-objects.ts";
import { typeWriter } from "./write-type.ts";

/** The file. */
export const typesFile = (model: SdkModel): string => {
  const writing: ObjectWriting = { form: "decoded", write: typeWriter("decoded", model.values), translate: translator(model) };
  const declarations = new Map([...model.declarations, ...model.errorDeclarations]);
  const { values, decimals } = needs(fieldsOf(declarations), writing);
  return fileText(
    "Types of responses: figures are exact decimals, instants are Dates, and fields that the service omits are absent.",
    [...importOf(decimals, "../core/published-decimal.ts"), ...importOf(values, "./values.ts")],
    [...declarations.values()].map((declaration) => declarationLines(declaration, declarations, writing)),
  );
};
